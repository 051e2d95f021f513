// What the app puts together with parts of other columns.
export { CloudServicesScreen } from './CloudServicesScreen.tsx';
