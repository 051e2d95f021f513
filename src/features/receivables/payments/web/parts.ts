// What other screens place of payments.
export { TopUpButton } from './TopUpButton.tsx';
