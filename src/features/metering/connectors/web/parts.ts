// Parts of connectors for other screens.
export { PayerPicker } from './PayerPicker.tsx';
