// Parts of late fees for pages of the signed-in.
export { LateFeeSettings } from './LateFeeSettings.tsx';
