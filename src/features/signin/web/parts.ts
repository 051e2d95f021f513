// What other columns place of sign-in.
export { LastUsed } from './LastUsed.tsx';
