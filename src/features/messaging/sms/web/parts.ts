// Parts of SMS for other screens.
export { SmsSettings } from './SmsSettings.tsx';
