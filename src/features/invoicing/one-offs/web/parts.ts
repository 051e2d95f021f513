// Parts of one-offs for other screens.
export { UpcomingOneOffs } from './UpcomingOneOffs.tsx';
