// The details of a month of the forecast: its customers, and for each the fees and the usage that make up its
// share.
import * as z from 'zod/mini';
import { route } from '#kernel/contract.ts';
import { currency, id, moneyShape, month, pageOf, pageQuery } from '#kernel/shape.ts';

export const ForecastCustomer = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  /** Fees of its current subscriptions. */
  recurring: moneyShape,
  /** Its share of the expected usage, based on its usage in the months considered. */
  usage: moneyShape,
  /** Its total usage in those months. */
  used: moneyShape,
  total: moneyShape,
});
export type ForecastCustomer = z.output<typeof ForecastCustomer>;

export const ForecastFee = z.strictObject({
  serviceName: z.string(),
  /** The month of the bill that charges it. */
  billMonth: month,
  /** A bill that is already issued; null while it is only planned. */
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
      /** The months whose usage determines the shares of the expected usage; null without a forecast. */
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
