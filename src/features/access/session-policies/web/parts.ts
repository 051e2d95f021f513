// Parts of session policies for other screens.
export { OwnPolicy } from './PolicySection.tsx';
