// Public API of personal data in the browser: its screen and an organization's own exports (both loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadPersonalDataScreen = () =>
  withTexts(import('./PersonalDataScreen.tsx'), 'personaldata').then((module) => module.PersonalDataScreen);
