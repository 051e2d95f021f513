// Countries by their names in the user's language.
import { countryChoices, countryName } from '#kernel/countries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

/** The name of a country; its code if the country is unknown. */
export function useCountryName(): (code: string) => string {
  const { language } = useFormat();
  return (code) => countryName(code, language);
}

/** Countries to choose from, starting with the option for none. */
export function useCountryOptions(
  none: string,
): readonly { readonly value: string; readonly label: string }[] {
  const { language } = useFormat();
  return [{ value: '', label: none }, ...countryChoices(language)];
}
