// Parts of dunning for other screens.
export { DunningBanner, useDunningAhead } from './DunningBanner.tsx';
export { BillDunning } from './BillDunning.tsx';
