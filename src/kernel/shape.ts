// The basic schemas of contracts: their JSON form and their type in code.
import * as z from 'zod/mini';
import { idPattern, type Id, type IdPrefix } from './ids.ts';
import {
  currencyCodes,
  isCurrency,
  moneyText,
  parseMoney,
  readMoney,
  type Currency,
  type Money,
} from './money.ts';
import { contentLanguages, isLanguage, type Language } from './language.ts';
import { longestEmail, printablePattern } from './patterns.ts';
import { roles } from './roles.ts';

/**
 * A name or other text: trimmed, `min` to `max` characters, without control characters and halves of
 * characters, which the database cannot store.
 */
export const text = (max: number, min = 1) =>
  z.string().check(
    z.trim(),
    z.minLength(min),
    z.maxLength(max),
    z.regex(printablePattern),
    z.refine((value) => value.isWellFormed()),
  );
/** Free text that may be empty. */
export const optionalText = (max: number) => text(max, 0);
/** An id of one kind of entity. */
export const id = <P extends IdPrefix>(prefix: P) => {
  const pattern = idPattern(prefix);
  return z
    .custom<Id<P>>((value) => typeof value === 'string' && pattern.test(value))
    .check(z.meta({ type: 'string', examples: [`${prefix}_…`] }));
};
/** An e-mail address as an account name: trimmed, lower case. */
export const email = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(longestEmail), z.regex(z.regexes.email));
/**
 * An exact figure in a response, with any number of digits. Responses have no limit: otherwise a sum above
 * the input limit would break every page that shows it.
 */
export const exactDecimal = z.string().check(z.regex(/^-?\d+(\.\d+)?$/));
/** A decimal in a request: non-negative, up to 24 integer and 12 fraction digits. */
export const unsignedDecimal = z.string().check(z.regex(/^\d{1,24}(\.\d{1,12})?$/));
export const currency = z.enum(currencyCodes);
/** A language that the console can be displayed in: zhTW, enUS or the code of a language pack of this installation. */
export const language = z
  .custom<Language>(isLanguage)
  .check(z.meta({ type: 'string', examples: [...contentLanguages] }));
/** A language in a response. Its pack may have been removed since somebody chose it. */
export const chosenLanguage = z
  .custom<Language>((value) => typeof value === 'string')
  .check(z.meta({ type: 'string', examples: [...contentLanguages] }));
/** One of the built-in languages, in which documents are written. */
export const contentLanguage = z.enum(contentLanguages);
export const role = z.enum(roles);
/** An IANA time zone name. Only its form is checked here; the rules check that the zone exists. */
export const timeZone = z.string().check(z.maxLength(64), z.regex(/^[A-Za-z][A-Za-z0-9_+\-/]*$/));

declare const monthBrand: unique symbol;
declare const dayBrand: unique symbol;
/** 'YYYY-MM' in the organization's time zone. */
export type BillingMonth = string & { readonly [monthBrand]: true };
/** 'YYYY-MM-DD' in the organization's time zone. */
export type LocalDay = string & { readonly [dayBrand]: true };
const monthPattern = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/;
/** Whether a value is a billing month. */
export const isMonth = (value: unknown): value is BillingMonth =>
  typeof value === 'string' && monthPattern.test(value);
/** The years that months and days can be in. */
const years = /^(?:19|20|21)/;
/** Whether a value is an existing day. */
export const isDay = (value: unknown): value is LocalDay =>
  typeof value === 'string' && years.test(value) && z.regexes.date.test(value);
export const month = z.custom<BillingMonth>(isMonth).check(z.meta({ type: 'string', examples: ['2026-11'] }));
export const day = z.custom<LocalDay>(isDay).check(z.meta({ type: 'string', format: 'date' }));

/** A moment: RFC 3339 in UTC in JSON, a Date in code. */
export const instant = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (wire) => new Date(wire),
  encode: (date) => date.toISOString(),
});

/** An amount in JSON. */
export const moneyWire = z.strictObject({ amount: z.string(), currency: z.string() });
const moneyCodec = (read: (text: string, currency: Currency) => Money | undefined) =>
  z.codec(
    moneyWire,
    z.custom<Money>((value) => typeof value === 'object' && value !== null && 'minor' in value),
    {
      decode: (wire, context) => {
        const amount = isCurrency(wire.currency) ? read(wire.amount, wire.currency) : undefined;
        if (amount) return amount;
        context.issues.push({ code: 'custom', input: wire });
        return z.NEVER;
      },
      encode: (amount) => ({ amount: moneyText(amount), currency: amount.currency }),
    },
  );
/**
 * An amount in a response: `{ "amount": "1234.50", "currency": "TWD" }` in JSON, {@link Money} in code. Sums
 * have no limit.
 */
export const moneyShape = moneyCodec(readMoney);
/** An amount in a request, in the same form. */
export const acceptedMoney = moneyCodec(parseMoney);

/** An integer in a query string. */
export const queryInteger = (min: number, max: number) =>
  z.codec(z.string().check(z.regex(/^\d{1,9}$/)), z.int().check(z.minimum(min), z.maximum(max)), {
    decode: (wire) => Number.parseInt(wire, 10),
    encode: (value) => value.toString(),
  });
/** A flag in a query string. */
export const queryFlag = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (wire) => wire === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

/** The query of every list: search text, sort, page size and page cursor. */
export const pageQuery = {
  q: z.optional(optionalText(200)),
  sort: z.optional(z.string().check(z.regex(/^-?[a-zA-Z]{1,40}$/))),
  limit: z.optional(queryInteger(1, 200)),
  cursor: z.optional(z.string().check(z.maxLength(500))),
};
/** The response of every list: one page, the cursor of the next page, and the total count. */
export const pageOf = <T extends z.core.SomeType>(item: T) =>
  z.strictObject({ items: z.array(item), nextCursor: z.nullable(z.string()), total: z.int() });
export type Page<T> = { items: T[]; nextCursor: string | null; total: number };
