// Countries by ISO 3166-1 alpha-2 code, with their names and EU membership for VAT.
import { type Language, tagOf } from './language.ts';

const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';
/** Every country code. */
export const countryCodes: readonly string[] = codes.split(' ');
const known: ReadonlySet<string> = new Set(countryCodes);

const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
/** The EU member states. */
export const euCountries: readonly string[] = members.split(' ');
const union: ReadonlySet<string> = new Set(euCountries);

export const isCountry = (code: string): boolean => known.has(code);
/**
 * Whether a country is in the EU. Northern Ireland counts as EU for goods only and has no country code of its
 * own here.
 */
export const isInEu = (code: string): boolean => union.has(code);

/** The name of a country in a language; the code itself when it is unknown. */
export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(tagOf(language), { type: 'region' }).of(code) ?? code;

/** All countries as select options, sorted by their names in a language. */
export function countryChoices(language: Language): { readonly value: string; readonly label: string }[] {
  const tag = tagOf(language);
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  return countryCodes
    .map((value) => ({ value, label: `${names.of(value) ?? value} (${value})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, tag));
}
