// The formats of the current language and time zone, for components.
import { useBrand } from '../shell/brand.ts';
import { formatOf, type Format } from './format.ts';
import { useLanguage } from '../i18n/i18n.ts';

/** Formats in the reader's language and the installation's time zone. */
export function useFormat(): Format {
  const timeZone = useBrand((brand) => brand.timeZone);
  return formatOf(useLanguage(), timeZone);
}
