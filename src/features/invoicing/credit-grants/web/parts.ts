// Parts of credit grants for other screens.
export { chosenServices, ServicesField } from './ServicesField.tsx';
export { typedAmount } from './typed-amount.ts';
