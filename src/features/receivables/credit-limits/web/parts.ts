// Parts of credit limits for other screens.
export { CreditBanner, useCreditAhead } from './CreditBanner.tsx';
export { OwnCreditLimit } from './OwnCreditLimit.tsx';
