// Parts of personal data for other screens.
export { OwnExports } from './OwnExports.tsx';
