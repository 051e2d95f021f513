// What is behind a month of the forecast: its customers, and of one of them the fees and the usage that make its part.
import * as z from 'zod/mini';
import { route } from '#kernel/contract.ts';
import { currency, id, moneyShape, month, pageOf, pageQuery } from '#kernel/shape.ts';

export const ForecastCustomer = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  /** Fees of its subscriptions as they stand. */
  recurring: moneyShape,
  /** Its part of the expected usage, by what it used in the months that are taken. */
  usage: moneyShape,
  /** What it used in them together. */
  used: moneyShape,
  total: moneyShape,
});
export type ForecastCustomer = z.output<typeof ForecastCustomer>;

export const ForecastFee = z.strictObject({
  serviceName: z.string(),
  /** Of the bill that charges it. */
  billMonth: month,
  /** Of a bill that is issued already; null while it is only planned. */
  bill: z.nullable(z.strictObject({ id: id('bil'), number: z.string() })),
  amount: moneyShape,
});
export type ForecastFee = z.output<typeof ForecastFee>;

const admin = { roles: ['Admin'] } as const;
export const forecastRoutes = {
  forecastCustomers: route({
    method: 'GET',
    path: '/admin/metrics/forecast/customers',
    access: admin,
    summary: 'List a forecast’s customers',
    description: 'The customers behind a month of the forecast, the largest first. They add up to it.',
    input: z.strictObject({
      currency,
      month,
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
      sort: pageQuery.sort,
      q: pageQuery.q,
    }),
    output: z.extend(pageOf(ForecastCustomer), {
      /** The months by whose usage the expected one is divided; null without a forecast. */
      since: z.nullable(month),
      until: z.nullable(month),
    }),
  }),
  forecastLines: route({
    method: 'GET',
    path: '/admin/metrics/forecast/lines',
    access: admin,
    summary: 'List a forecast’s lines',
    description:
      'A customer’s current fees in a month of the forecast, and the usage of the months it’s based on.',
    input: z.strictObject({ currency, month, organizationId: id('org') }),
    output: z.strictObject({
      fees: z.array(ForecastFee),
      used: z.array(z.strictObject({ month, amount: moneyShape })),
    }),
  }),
} as const;
