// Computes what the charges of rate cards cost in a month, from the same lines as bills.
import type { In, Out } from '#kernel/contract.ts';
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { sumMoney, type Currency } from '#kernel/money.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';
import {
  linesOf,
  withoutSteps,
  type BillableSubscription,
  type PlannedLine,
  type UsedCharge,
} from '#features/selling/subscriptions/rules.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import { usageErrors, type ChargeMonth, type usage } from '../contract.ts';
import { billableIn, loadMonths } from './billable.ts';

/**
 * Returns the charges of a subscription's month in the order of its rate card, followed by amounts that
 * belong to no charge; undefined without a rate card. Their costs, in the lines' single currency, add up to
 * the lines exactly.
 */
export function chargesOfMonth(
  { times }: Pick<BillableSubscription, 'times'>,
  lines: readonly PlannedLine[],
  currency: Currency,
): ChargeMonth[] | undefined {
  const cards = times.flatMap(({ price: { pricing } }) => (pricing.model === 'rate_card' ? [pricing] : []));
  if (cards.length === 0) return undefined;
  const named = new Map(
    cards.flatMap(({ charges }) => charges.map((charge) => [charge.key, charge] as const)),
  );
  const used = (key: string): UsedCharge[] =>
    times.flatMap(({ charges }) => {
      const one = charges?.get(key);
      return one ? [one] : [];
    });
  const costOf = (own: readonly PlannedLine[]): CostOfLines => ({
    cost: { currency, amount: decimalText(sumDecimals(own.map(({ exact }) => exact))) },
    billed: sumMoney(
      own.map(({ amount }) => amount),
      currency,
    ),
  });
  const ofCharge = Map.groupBy(lines, ({ charge }) => charge?.key);
  // A fee that has since been removed from the card still has its lines.
  const gone = [...ofCharge.keys()].filter((key) => key !== undefined && !named.has(key));
  return [
    ...[...named.values()].flatMap((charge): ChargeMonth[] => {
      const own = ofCharge.get(charge.key) ?? [];
      if (charge.kind === 'usage') return [usageMonth(charge, used(charge.key), own, costOf(own))];
      return own.length === 0 ? [] : [feeMonth(own, costOf(own))];
    }),
    ...gone.flatMap((key): ChargeMonth[] => {
      const own = ofCharge.get(key) ?? [];
      return [feeMonth(own, costOf(own))];
    }),
    ...[...Map.groupBy(ofCharge.get(undefined) ?? [], ({ kind }) => kind).values()].map((own) =>
      feeMonth(own, costOf(own)),
    ),
  ];
}

type CostOfLines = Pick<ChargeMonth, 'cost' | 'billed'>;

function usageMonth(
  { key, name, meter, model, ...price }: Charge,
  used: readonly UsedCharge[],
  own: readonly PlannedLine[],
  cost: CostOfLines,
): ChargeMonth {
  const prices = new Set(own.map(({ unitPrice }) => unitPrice));
  const fixed =
    model === 'per_unit' && 'unitPrice' in price && price.included === undefined ? price.unitPrice : null;
  const cells = cellsOf(used);
  return {
    key,
    name,
    kind: 'usage',
    ...(meter !== undefined && { meter }),
    unit: used[0]?.unit ?? own[0]?.unit ?? '',
    quantity: decimalText(sumDecimals(used.map(({ usage: { quantity } }) => quantity))),
    unitPrice: prices.size > 1 ? null : prices.size === 1 ? (own[0]?.unitPrice ?? null) : fixed,
    ...cost,
    ...(cells.length > 0 && { cells }),
  };
}

/** The lines of one fee, or of no charge. */
function feeMonth(own: readonly PlannedLine[], cost: CostOfLines): ChargeMonth {
  const [first] = own;
  const units = new Set(own.map(({ unitPrice }) => unitPrice));
  return {
    key: first?.charge?.key ?? null,
    name: first?.charge?.name ?? null,
    kind: first?.kind ?? 'base_fee',
    unit: first?.unit ?? '',
    // After a change within the month, the final count; otherwise the counts of all periods.
    quantity: own.some(({ kind }) => kind === 'credit')
      ? (own.at(-1)?.quantity ?? '0')
      : decimalText(sumDecimals(own.map(({ quantity }) => decimal(quantity)))),
    unitPrice: units.size === 1 ? (first?.unitPrice ?? null) : null,
    ...cost,
  };
}

/** The cells of all price periods together, largest first; none for a meter without dimensions. */
function cellsOf(used: readonly UsedCharge[]): NonNullable<ChargeMonth['cells']> {
  const byValues = new Map<string, { readonly dimensions: Dimensions; quantity: Decimal }>();
  for (const { dimensions, quantity } of used.flatMap(({ usage }) => usage.cells)) {
    const key = JSON.stringify(dimensions);
    const known = byValues.get(key);
    if (known) known.quantity = known.quantity.plus(quantity);
    else byValues.set(key, { dimensions, quantity });
  }
  const cells = [...byValues.values()];
  if (cells.every(({ dimensions }) => Object.keys(dimensions).length === 0)) return [];
  return cells
    .toSorted((a, b) => b.quantity.cmp(a.quantity))
    .map(({ dimensions, quantity }) => ({ dimensions, quantity: decimalText(quantity) }));
}

/** Returns the charges of one subscription in a month, by default the current one. */
export async function charges(ctx: Ctx, input: In<typeof usage.charges>): Promise<Out<typeof usage.charges>> {
  const subscription = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  if (!subscription) throw domainError(usageErrors, 'usage.subscription_not_found');
  const { timeZone: zone } = subscription;
  const month = input.month ?? monthOf(ctx.now, zone);
  const loaded = await loadMonths(ctx, [subscription], [month]);
  const { currency } = loaded.offers.service(subscription.serviceId).pricing;
  const billable = [...(await billableIn(ctx, loaded, month)).values()].flat();
  const lines = billable
    .flatMap((one) => linesOf(one, month, zone, withoutSteps))
    .filter(({ amount }) => amount.currency === currency);
  const [one] = billable;
  return {
    month,
    asOf: ctx.now,
    cost: {
      currency,
      amount: decimalText(lines.reduce((sum, { exact }) => sum.plus(exact), zero)),
    },
    charges: (one && chargesOfMonth(one, lines, currency)) ?? [],
  };
}
