// What the app puts together with parts of other features.
export { CloudServicesScreen } from './CloudServicesScreen.tsx';
