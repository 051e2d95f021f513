// Parts of automatic top-ups for other screens.
export { OwnTopUps } from './OwnTopUps.tsx';
