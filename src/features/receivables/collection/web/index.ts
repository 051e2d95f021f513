// Collection's public API in the browser: parts for the pages of bills and payments (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** The saved cards, and the charges of a bill, for customers. */
export const loadOwnCollection = async () => {
  const [{ PaymentCards, CardsContent }, { BillCollection }] = await withTexts(
    Promise.all([import('./PaymentCards.tsx'), import('./BillCollection.tsx')]),
    'collection',
  );
  return { PaymentCards, CardsContent, BillCollection };
};
export const loadCardEntryScreen = () =>
  withTexts(import('./CardEntryScreen.tsx'), 'collection').then((module) => module.CardEntryScreen);
export const loadCardReturnedScreen = () =>
  withTexts(import('./CardReturnedScreen.tsx'), 'collection').then((module) => module.CardReturnedScreen);
export const loadAdminBillCollection = () =>
  withTexts(import('./BillCollection.tsx'), 'collection').then((module) => module.AdminBillCollection);
/** For Admins: who has saved cards, and on which days they are charged. */
export const loadAdminCollection = async () => {
  const { CollectedOrganizations, CollectionPlanSection } = await withTexts(
    import('./AdminCollection.tsx'),
    'collection',
  );
  return { CollectedOrganizations, CollectionPlanSection };
};
