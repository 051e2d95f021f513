// Parts of connectors for other screens.
export { useFailureText } from './connector-words.ts';
export { PayerPicker } from './PayerPicker.tsx';
