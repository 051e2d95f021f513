// Realized exchange gains and losses of bills in other currencies than the reporting one.
import * as z from 'zod/mini';
import { route } from '#kernel/contract.ts';
import { currency, day, id, instant, moneyShape, month } from '#kernel/shape.ts';
import { UsedRate } from '#features/reporting/rates/contract.ts';

/** What settled a bill: a payment or a credit note; a dispute or a withholding that was taken back, which are below zero. */
export const settlementKinds = ['payment', 'credit', 'dispute', 'returned'] as const;
export type SettlementKind = (typeof settlementKinds)[number];

export const ExchangeGains = z.strictObject({
  month,
  organizationId: id('org'),
  organization: z.string(),
  /** Of the bills. */
  of: currency,
  count: z.int(),
  /** Of them, without a rate, and in none of the sums in the reporting currency. */
  unknown: z.int(),
  /** In the bills' currency, all of them. */
  settled: moneyShape,
  booked: moneyShape,
  value: moneyShape,
  gain: moneyShape,
});
export type ExchangeGains = z.output<typeof ExchangeGains>;

export const Settlement = z.strictObject({
  kind: z.enum(settlementKinds),
  /** Of a credit note; empty for what has none. */
  number: z.string(),
  paymentId: z.nullable(id('pay')),
  billId: id('bil'),
  billNumber: z.string(),
  billDay: day,
  day,
  /** In the bill's currency; below zero for what came back. */
  amount: moneyShape,
  /** Null where no rates lead to the reporting currency. */
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
      /** Of what has rates. */
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
