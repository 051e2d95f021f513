// Parts of payments for other screens.
export { TopUpButton } from './TopUpButton.tsx';
