// Parts for signed-in users, in a separate module, so that the entry bundle, which imports the public API,
// does not contain them.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadProofDialog = () =>
  withTexts(import('./ProofDialog.tsx'), 'signin').then((module) => module.ProofDialog);
export const loadEnrolFirst = () =>
  withTexts(import('./EnrolFirst.tsx'), 'signin').then((module) => module.EnrolFirst);
export const loadUserReset = () =>
  withTexts(import('./UserReset.tsx'), 'signin').then((module) => module.UserReset);
export const loadUserFactors = () =>
  withTexts(import('./UserFactors.tsx'), 'signin').then((module) => module.UserFactors);
