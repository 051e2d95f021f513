// Parts of connectors for other screens.
export { useFailureText } from './connector-words.ts';
export { PayerPicker } from './PayerPicker.tsx';
export { PayerDialog } from './PayerDialog.tsx';
export { ServicePicker, type ChosenService } from './ServicePicker.tsx';
