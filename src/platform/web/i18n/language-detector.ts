// Detects the language from the browser, in the order of R-I18N-03.
import LanguageDetector, { type DetectorOptions } from 'i18next-browser-languagedetector';
import { languageOf } from '#kernel/language.ts';
import { isEmbedded } from '../session/embedded.ts';

/** The settings of {@link languageDetector}. */
export const detection: DetectorOptions = {
  order: [
    'querystring',
    'querystring lng',
    'cookie',
    'localStorage',
    'localStorage i18nextLng',
    'sessionStorage',
    'sessionStorage i18nextLng',
    'navigator',
    'htmlTag',
  ],
  lookupQuerystring: 'language',
  lookupCookie: 'i18next',
  lookupLocalStorage: 'language',
  lookupSessionStorage: 'language',
  caches: isEmbedded ? [] : ['localStorage'],
  convertDetectedLanguage: (found) => languageOf(found) ?? found,
};

/**
 * The detector looks up one name in each place. A second detector with the library's default names covers the
 * other interpretation of the specification.
 */
const ownNames = new LanguageDetector();
export const languageDetector = new LanguageDetector();
for (const [place, name] of [
  ['querystring', 'lng'],
  ['localStorage', 'i18nextLng'],
  ['sessionStorage', 'i18nextLng'],
] as const)
  languageDetector.addDetector({ name: `${place} ${name}`, lookup: () => ownNames.detect([place]) });
