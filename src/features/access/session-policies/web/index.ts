// The public API of session policies in the browser: their sections, loaded when shown.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadPolicySections = () => withTexts(import('./PolicySection.tsx'), 'sessionpolicies');
