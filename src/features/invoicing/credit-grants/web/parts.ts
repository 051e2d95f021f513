// Parts of credit grants for other screens.
export { chargesOf, ChargesField, chosenCharges } from './ChargesField.tsx';
export { chosenServices, ServicesField } from './ServicesField.tsx';
export { SubscriptionCover, useCoverAhead } from './CoverNotice.tsx';
export { typedAmount } from './typed-amount.ts';
export { OwnCredits } from './OwnCredits.tsx';
export { CreditsCard } from './CreditsCard.tsx';
