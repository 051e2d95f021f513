// Parts of packs for other screens.
export { MonthPacks, OwnMonthPacks } from './MonthPacks.tsx';
