// What the roof puts together with parts of other columns.
export { CloudServicesScreen } from './CloudServicesScreen.tsx';
