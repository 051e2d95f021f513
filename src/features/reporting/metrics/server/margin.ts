// Margin for Admins: customers or services with their charges and costs, and the lines behind them.
import type { In, Out } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { monthNumber, monthOfNumber } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MarginSpan, metrics } from '../contract.ts';
import { marginLinesOf, marginTotals, pageOfMargin, revenueOfMonths, type MarginOf } from './store-margin.ts';

type Asked = Pick<In<typeof metrics.margin>, 'currency' | 'month' | 'organizationId' | 'serviceId'> & {
  readonly span?: MarginSpan | undefined;
};
const ofYear = 12;

/**
 * The requested months: the given one, or the twelve up to it. The service `none` selects revenue without a
 * service.
 */
export function marginOf({ currency, month, span = 'month', organizationId, serviceId }: Asked): MarginOf {
  const to = monthNumber(month);
  return {
    currency,
    from: span === 'year' ? to - ofYear + 1 : to,
    to,
    organizationId,
    serviceId: serviceId === 'none' ? '' : serviceId,
  };
}

export async function margin(
  ctx: Ctx,
  { by = 'customer', ...input }: In<typeof metrics.margin>,
): Promise<Out<typeof metrics.margin>> {
  const of = marginOf(input);
  const page = await pageOfMargin(ctx, of, by, input);
  const totals = await marginTotals(ctx, of);
  const whole = await revenueOfMonths(ctx, of.currency, monthOfNumber(of.from), input.month);
  return { ...page, from: monthOfNumber(of.from), totals, billed: money(whole, of.currency) };
}

export async function marginLines(
  ctx: Ctx,
  { organizationId, ...input }: In<typeof metrics.marginLines>,
): Promise<Out<typeof metrics.marginLines>> {
  return marginLinesOf(ctx, { ...marginOf(input), organizationId });
}
