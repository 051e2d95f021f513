// Parts of insights for other screens.
export { Explorer } from './Explorer.tsx';
