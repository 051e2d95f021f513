// Collection's public API in the browser: parts for the pages of bills and payments (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadCardEntryScreen = () =>
  withTexts(import('./CardEntryScreen.tsx'), 'collection').then((module) => module.CardEntryScreen);
export const loadCardReturnedScreen = () =>
  withTexts(import('./CardReturnedScreen.tsx'), 'collection').then((module) => module.CardReturnedScreen);
/** For Admins: who has saved cards, and on which days they are charged. */
export const loadAdminCollection = async () => {
  const { CollectedOrganizations, CollectionPlanSection } = await withTexts(
    import('./AdminCollection.tsx'),
    'collection',
  );
  return { CollectedOrganizations, CollectionPlanSection };
};
