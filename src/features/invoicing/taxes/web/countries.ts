// Countries by their names in the reader's language.
import { countryCodes } from '#kernel/countries.ts';
import { languageTags } from '#kernel/language.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

/** The name of a country; of one that is unknown its code. */
export function useCountryName(): (code: string) => string {
  const { language } = useFormat();
  const names = new Intl.DisplayNames(languageTags[language], { type: 'region' });
  return (code) => names.of(code) ?? code;
}

/** Countries to choose from, first what stands for none. */
export function useCountryOptions(
  none: string,
): readonly { readonly value: string; readonly label: string }[] {
  const { language } = useFormat();
  const nameOf = useCountryName();
  return [
    { value: '', label: none },
    ...countryCodes
      .map((value) => ({ value, label: `${nameOf(value)} (${value})` }))
      .toSorted((a, b) => a.label.localeCompare(b.label, languageTags[language])),
  ];
}
