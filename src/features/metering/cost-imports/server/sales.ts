// Computes the cost and the price of a period's lines by rules and mark-ups. Read-only: the preview and the
// sale share this calculation.
import { required } from '#kernel/assert.ts';
import { dayOf } from '#kernel/time.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Amount, AssignRule, Selling } from '../contract.ts';
import { costText, costUnits } from '../rules-exact.ts';
import {
  converted,
  costOf,
  markUpOf,
  minimumFeeOf,
  minimumService,
  missingFee,
  ruleOf,
  soldBasisOf,
  soldFor,
  soldText,
} from '../rules-sell.ts';
import type { OpenCost } from '../rules-unassigned.ts';
import { payersByIds, ratesOf, type PayerRow } from './store.ts';
import type { CostTotals } from './store-imports.ts';
import {
  costOfScopes,
  linesOfPayers,
  scopesOf,
  type PayerLine,
  type ScopeRow,
  type SoldKey,
} from './store-sold.ts';

/** An amount to sell for a day; amounts are texts, and `sold` is null while it cannot be sold. */
export type Sale = SoldKey & {
  readonly cost: string;
  readonly sold: string | null;
  readonly soldCurrency: string;
  readonly costSoldCurrency: string | null;
  readonly reason: string | null;
};
export type Sales = {
  readonly totals: CostTotals;
  readonly perRule: Amount[][];
  readonly sales: Sale[];
  readonly payers: ReadonlyMap<string, PayerRow>;
  readonly unassigned: OpenCost[];
};

/** Exact sums by currency. */
export class Sums {
  readonly #units = new Map<string, bigint>();
  add(currency: string, units: bigint): void {
    this.#units.set(currency, (this.#units.get(currency) ?? 0n) + units);
  }
  amounts(): Amount[] {
    return [...this.#units]
      .filter(([, units]) => units !== 0n)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, units]) => ({ amount: costText(units), currency }));
  }
}

const unitsIn = (text: string): bigint => required(costUnits(text), 'a stored amount');
const inUnits = <T extends { billed: string; effective: string; list: string }>(line: T) => ({
  ...line,
  billed: unitsIn(line.billed),
  effective: unitsIn(line.effective),
  list: unitsIn(line.list),
});

/** Determines who owns a period's lines and what they are sold for. */
export async function salesOf(
  ctx: Ctx,
  terms: { readonly sourceId: string; readonly rules: readonly AssignRule[]; readonly selling: Selling },
  importId: string,
  periodStart: string,
): Promise<Sales> {
  const { rules, selling } = terms;
  const scopes = await scopesOf(ctx, importId, periodStart);
  const payers = await payersByIds(
    ctx,
    rules.flatMap((rule) => rule.subscriptionId ?? []),
  );
  const ruleBy = new Map(scopes.map((scope) => [scope.id, ruleOf(rules, scope)]));
  const scopeBy = new Map(scopes.map((scope) => [scope.id, scope]));
  const names = ['cost', 'tax', 'assigned', 'unassigned', 'ignored'] as const;
  const sums = Object.fromEntries(names.map((name) => [name, new Sums()])) as Record<
    (typeof names)[number],
    Sums
  >;
  const ruleSums = rules.map(() => new Sums());
  const open = new Map<string, { scope: ScopeRow; currency: string; cost: bigint }>();
  for (const each of (await costOfScopes(ctx, importId, periodStart)).map(inUnits)) {
    if (each.kind === 'tax') {
      sums.tax.add(each.currency, each.billed);
      continue;
    }
    const cost = costOf(selling, each);
    sums.cost.add(each.currency, cost);
    const place = ruleBy.get(each.scopeId);
    const rule = place === undefined ? undefined : rules[place];
    if (place !== undefined) ruleSums[place]?.add(each.currency, cost);
    if (rule?.subscriptionId === null) sums.ignored.add(each.currency, cost);
    else if (rule && payers.has(rule.subscriptionId)) sums.assigned.add(each.currency, cost);
    else {
      sums.unassigned.add(each.currency, cost);
      const key = `${each.scopeId}\n${each.currency}`;
      const scope = required(scopeBy.get(each.scopeId), 'the scope of a line');
      const before = open.get(key);
      if (before) before.cost += cost;
      else open.set(key, { scope, currency: each.currency, cost });
    }
  }
  const owned = scopes.flatMap(({ id }) => {
    const place = ruleBy.get(id);
    const subscriptionId = place === undefined ? null : rules[place]?.subscriptionId;
    return subscriptionId && payers.has(subscriptionId) ? [{ scopeId: id, subscriptionId }] : [];
  });
  const lines = await linesOfPayers(ctx, importId, periodStart, owned);
  const rates = new Map(
    (await ratesOf(ctx, [terms.sourceId]))
      .filter((rate) => rate.periodStart === periodStart)
      .map((rate) => [`${rate.from} ${rate.to}`, rate.rate]),
  );
  return {
    totals: {
      cost: sums.cost.amounts(),
      tax: sums.tax.amounts(),
      assigned: sums.assigned.amounts(),
      unassigned: sums.unassigned.amounts(),
      ignored: sums.ignored.amounts(),
    },
    perRule: ruleSums.map((each) => each.amounts()),
    sales: salesOfLines(selling, lines, payers, rates, periodStart),
    payers,
    unassigned: [...open.values()],
  };
}

function salesOfLines(
  selling: Selling,
  lines: readonly PayerLine[],
  payers: ReadonlyMap<string, PayerRow>,
  rates: ReadonlyMap<string, string>,
  periodStart: string,
): Sale[] {
  const days = new Map<string, SoldKey & { costUnits: bigint; basis: bigint }>();
  for (const line of lines.map(inUnits)) {
    const { subscriptionId, service, day, currency } = line;
    const key = `${subscriptionId}\n${day}\n${currency}\n${service}`;
    const found = days.get(key) ?? {
      subscriptionId,
      service,
      day,
      costCurrency: currency,
      costUnits: 0n,
      basis: 0n,
    };
    found.costUnits += costOf(selling, line);
    found.basis += soldBasisOf(selling, line);
    days.set(key, found);
  }
  type Made = { sale: Sale; sold: bigint; cost: bigint };
  const made = [...days.values()].map(({ costUnits: cost, basis, ...key }): Made => {
    const payer = required(payers.get(key.subscriptionId), 'the payer of a line');
    const rate =
      key.costCurrency === payer.currency ? '1' : rates.get(`${key.costCurrency} ${payer.currency}`);
    const common = { ...key, cost: costText(cost), soldCurrency: payer.currency };
    if (rate === undefined)
      return {
        sale: { ...common, sold: null, costSoldCurrency: null, reason: 'costs.rate_missing' },
        sold: 0n,
        cost: 0n,
      };
    const customer = { subscriptionId: payer.id, organizationId: payer.organizationId };
    const sold = soldFor(basis, markUpOf(selling.markUps, customer, key.service)?.percent ?? '0', rate);
    const costThere = converted(cost, rate);
    return {
      sale: { ...common, sold: soldText(sold), costSoldCurrency: costText(costThere), reason: null },
      sold,
      cost: costThere,
    };
  });
  const fees = [...Map.groupBy(made, ({ sale }) => sale.subscriptionId)].flatMap(([id, own]): Sale[] => {
    const payer = required(payers.get(id), 'the payer');
    const minimum = minimumFeeOf(selling.markUps, {
      subscriptionId: payer.id,
      organizationId: payer.organizationId,
    });
    // Sales without a rate may still reach the minimum; the missing fee cannot be computed before all rates
    // are known.
    if (minimum === undefined || own.some(({ sale }) => sale.sold === null)) return [];
    const add = (of: 'sold' | 'cost'): bigint => own.reduce((sum, each) => sum + each[of], 0n);
    const missing = missingFee(minimum, add('sold'), add('cost'));
    const first = dayOf(payer.startedAt, payer.timeZone);
    return missing === 0n
      ? []
      : [
          {
            subscriptionId: id,
            service: minimumService,
            day: first > (periodStart as LocalDay) ? first : periodStart,
            costCurrency: payer.currency,
            cost: '0',
            sold: soldText(missing),
            soldCurrency: payer.currency,
            costSoldCurrency: '0',
            reason: null,
          },
        ];
  });
  return [...made.map(({ sale }) => sale), ...fees];
}
