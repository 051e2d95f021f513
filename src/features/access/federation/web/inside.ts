// Parts for signed-in users, in a separate module, so that the entry bundle, which imports the public API,
// does not contain them.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadTestProvider = () =>
  withTexts(import('./TestProvider.tsx'), 'federation').then((module) => module.TestProvider);
