// Parts of payers for other screens.
export { OwnPayers, PaidForOthers } from './OwnPayers.tsx';
export { PayerLists } from './PayerLists.tsx';
