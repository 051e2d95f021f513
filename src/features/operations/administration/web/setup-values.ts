// The values entered in the set-up so far; they survive a reload in this tab, without any password.
import * as z from 'zod/mini';
import { isContentLanguage, type Language } from '#kernel/language.ts';
import { contentLanguage, currency, text, timeZone, unsignedDecimal } from '#kernel/shape.ts';
import { parseJson } from '#kernel/parse-json.ts';

export const basicSchema = z.strictObject({
  setupToken: text(200),
  name: text(60),
  companyPrefix: text(60, 0),
  currency,
  timeZone,
  language: contentLanguage,
  taxRate: z.string().check(
    z.trim(),
    z.minLength(1),
    z.refine(
      (rate) => unsignedDecimal.safeParse(rate).success && Number.parseFloat(rate) <= 100,
      'administration.tax_rate_invalid',
    ),
  ),
});
export type BasicValues = z.output<typeof basicSchema>;

const key = 'setupValues';
const first: BasicValues = {
  setupToken: '',
  name: 'System',
  companyPrefix: '',
  currency: 'TWD',
  timeZone: 'Asia/Taipei',
  language: 'zhTW',
  taxRate: '5',
};

/**
 * The values entered before a reload, and the token from the URL that the server printed. The console's
 * default language is at first the one in which it is set up.
 */
export function readSetup(reading: Language): BasicValues {
  const stored = z.safeParse(z.partial(basicSchema), parseJson(sessionStorage.getItem(key) ?? ''));
  const token = new URLSearchParams(location.search).get('token');
  return {
    ...first,
    ...(isContentLanguage(reading) && { language: reading }),
    ...(stored.success ? stored.data : {}),
    ...(token !== null && { setupToken: token }),
  };
}

/** Stores the values for a reload of this tab; undefined deletes them. */
export function rememberSetup(values: BasicValues | undefined): void {
  if (values) sessionStorage.setItem(key, JSON.stringify(values));
  else sessionStorage.removeItem(key);
}
