// Daily exchange rates with their versions, and the reporting currency.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  day,
  exactDecimal,
  id,
  instant,
  pageOf,
  pageQuery,
  unsignedDecimal,
} from '#kernel/shape.ts';

export const rateSources = ['ecb', 'manual'] as const;
export type RateSource = (typeof rateSources)[number];

export const ExchangeRate = z.strictObject({
  id: id('fxr'),
  /** One unit of `currency` is worth `rate` units of `against`. */
  currency,
  against: currency,
  day,
  rate: exactDecimal,
  source: z.enum(rateSources),
  /** Above one: it replaced the previous version at `setAt`. */
  version: z.int(),
  setBy: z.string(),
  setAt: instant,
});
export type ExchangeRate = z.output<typeof ExchangeRate>;

/** The conversion of an amount: the rate as shown, and the rates that make it up. */
export const UsedRate = z.strictObject({
  /**
   * How many units of the reporting currency one unit is worth, to ten digits; amounts are converted with the
   * exact rates.
   */
  text: exactDecimal,
  /** The day of the oldest rate used. */
  day,
  steps: z.array(
    z.strictObject({ currency, against: currency, rate: exactDecimal, day, source: z.enum(rateSources) }),
  ),
});
export type UsedRate = z.output<typeof UsedRate>;

const admin = { roles: ['Admin'] } as const;
export const rates = contract({
  listRates: route({
    method: 'GET',
    path: '/admin/exchange-rates',
    access: admin,
    isBatchable: true,
    summary: 'List exchange rates',
    description: 'Those in effect, the newest day first.',
    input: z.strictObject({ ...pageQuery, source: z.optional(z.enum(rateSources)) }),
    output: pageOf(ExchangeRate),
  }),
  setRate: route({
    method: 'PUT',
    path: '/admin/exchange-rates',
    access: admin,
    summary: 'Set an exchange rate',
    description:
      'For one day. A rate that’s already there stays for what was reported with it; the new one applies from now on.',
    input: z.strictObject({ currency, against: currency, day, rate: unsignedDecimal }),
    output: ExchangeRate,
  }),
  importRates: route({
    method: 'POST',
    path: '/admin/exchange-rates/import',
    access: admin,
    atOnce: 1,
    raw: {
      types: ['text/csv', 'application/xml', 'text/xml', 'application/zip', 'application/octet-stream'],
      maxBytes: 32 * 1024 * 1024,
    },
    summary: 'Import exchange rates',
    description:
      'The European Central Bank’s reference rates (CSV, XML, or ZIP). Rates set manually stay, and rates already there aren’t counted again.',
    input: noInput,
    output: z.strictObject({
      added: z.int(),
      days: z.int(),
      firstDay: z.nullable(day),
      lastDay: z.nullable(day),
    }),
  }),
  getReporting: route({
    method: 'GET',
    path: '/admin/exchange-rates/reporting',
    access: admin,
    isBatchable: true,
    summary: 'Get the reporting currency',
    description: 'The currency of reports that cover several currencies.',
    input: noInput,
    output: z.strictObject({ currency }),
  }),
  saveReporting: route({
    method: 'PUT',
    path: '/admin/exchange-rates/reporting',
    access: admin,
    summary: 'Set the reporting currency',
    description: 'The currency of reports that cover several currencies.',
    input: z.strictObject({ currency }),
    output: z.strictObject({ currency }),
  }),
});

export const ratesErrors = {
  'rates.same_currency': 400,
  'rates.not_positive': 400,
  'rates.future_day': 400,
  'rates.file_empty': 422,
  'rates.file_unreadable': 422,
  'rates.file_without_rates': 422,
} as const satisfies ErrorTable;
