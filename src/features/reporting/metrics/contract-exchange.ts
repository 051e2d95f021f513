// Realized exchange gains and losses of bills in other currencies than the reporting currency.
import * as z from 'zod/mini';
import { route } from '#kernel/contract.ts';
import { currency, day, id, instant, moneyShape, month } from '#kernel/shape.ts';
import { UsedRate } from '#features/reporting/rates/contract.ts';

/**
 * What settled a bill: a payment or a credit note; a dispute or a reversed withholding, whose amounts are
 * negative.
 */
export const settlementKinds = ['payment', 'credit', 'dispute', 'returned'] as const;
export type SettlementKind = (typeof settlementKinds)[number];

export const ExchangeGains = z.strictObject({
  month,
  organizationId: id('org'),
  organization: z.string(),
  /** The currency of the bills. */
  of: currency,
  count: z.int(),
  /** How many of them have no rate and are in none of the sums in the reporting currency. */
  unknown: z.int(),
  /** All settlements, in the bills' currency. */
  settled: moneyShape,
  booked: moneyShape,
  value: moneyShape,
  gain: moneyShape,
});
export type ExchangeGains = z.output<typeof ExchangeGains>;

export const Settlement = z.strictObject({
  kind: z.enum(settlementKinds),
  /** The number of a credit note; empty for other kinds. */
  number: z.string(),
  paymentId: z.nullable(id('pay')),
  billId: id('bil'),
  billNumber: z.string(),
  billDay: day,
  day,
  /** In the bill's currency; negative for reversals. */
  amount: moneyShape,
  /** Null if no rates lead to the reporting currency. */
  billRate: z.nullable(UsedRate),
  rate: z.nullable(UsedRate),
  booked: z.nullable(moneyShape),
  value: z.nullable(moneyShape),
  gain: z.nullable(moneyShape),
});
export type Settlement = z.output<typeof Settlement>;

const admin = { roles: ['Admin'] } as const;
const period = { from: day, to: day, knownAt: z.optional(instant) };

export const exchangeRoutes = {
  exchangeGains: route({
    method: 'GET',
    path: '/admin/metrics/exchange-gains',
    access: admin,
    summary: 'Get exchange gains',
    description:
      'Realized gains and losses of a period by month and customer: what settled bills in other currencies was worth that day, minus what it was worth on the bill’s date.',
    input: z.strictObject(period),
    output: z.strictObject({
      currency,
      knownAt: instant,
      items: z.array(ExchangeGains),
      /** The sum of settlements that have rates. */
      gains: moneyShape,
      losses: moneyShape,
      net: moneyShape,
      unknown: z.int(),
    }),
  }),
  settlements: route({
    method: 'GET',
    path: '/admin/metrics/exchange-gains/settlements',
    access: admin,
    summary: 'List settlements behind exchange gains',
    description: 'The payments and credit notes behind a customer’s gains in a period, each with both rates.',
    input: z.strictObject({ ...period, organizationId: id('org'), of: currency }),
    output: z.strictObject({ currency, items: z.array(Settlement) }),
  }),
} as const;
