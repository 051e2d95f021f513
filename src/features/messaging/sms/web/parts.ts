// What other screens place of SMS.
export { SmsSettings } from './SmsSettings.tsx';
