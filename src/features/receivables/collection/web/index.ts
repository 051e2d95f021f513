// The public API of collection in the browser: components for the pages of bills and payments (loaded when
// opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadCardEntryScreen = () =>
  withTexts(import('./CardEntryScreen.tsx'), 'collection').then((module) => module.CardEntryScreen);
export const loadCardReturnedScreen = () =>
  withTexts(import('./CardReturnedScreen.tsx'), 'collection').then((module) => module.CardReturnedScreen);
/** For Admins: the organizations with saved cards, and the days on which they are charged. */
export const loadAdminCollection = async () => {
  const { CollectedOrganizations, CollectionPlanSection } = await withTexts(
    import('./AdminCollection.tsx'),
    'collection',
  );
  return { CollectedOrganizations, CollectionPlanSection };
};
