// Estimates a quote after acceptance: months are planned by the function of real bills, so that the estimate
// equals the bill for the expected usage exactly.
import { required } from '#kernel/assert.ts';
import { decimal, isZero, zero } from '#kernel/decimal.ts';
import { encodeId } from '#kernel/ids.ts';
import { money, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import {
  noTerms,
  planBills,
  sumOfKinds,
  takenOf,
  termsAfter,
  type BillPlan,
  type Terms,
} from '#features/invoicing/billing/rules.ts';
import { drawsAfter, proposedInForce, type ProposedDraws } from '#features/invoicing/commitments/rules.ts';
import {
  availableIn,
  byBurnOrder,
  type GrantInForce,
  scopeOf,
  wholeScope,
} from '#features/invoicing/credit-grants/rules.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import { usualPriority } from '#features/invoicing/credit-grants/contract.ts';
import type { DiscountOrder } from '#features/invoicing/discounts/contract.ts';
import type { DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import { pricedOneOff, type OneOffInForce } from '#features/invoicing/one-offs/rules.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { usageOfEvents, usageOfQuantity, type ChargeUsage } from '#features/selling/rating/rules.ts';
import {
  monthParts,
  planTimes,
  type BillableSubscription,
  type PlanTime,
  type PricedPlan,
  type Timeline,
  type UsedCharge,
  type UsedTime,
} from '#features/selling/subscriptions/rules.ts';
import type { Figures, QuoteContent, QuoteGrant, QuoteItem } from './contract-content.ts';

/** A service of a quote with everything that its subscription will depend on. */
export type QuotedService = {
  readonly item: QuoteItem;
  readonly plan: PricedPlan;
  /** Of the service's own meter. */
  readonly unit: string;
  /** Returns the units of the meters that its charges name. */
  readonly unitOf: (meterKey: string) => string | undefined;
  /** As a subscription started now would have them. */
  readonly trialEndsAt: Date | null;
  readonly yearAnchor: LocalDay | null;
};
export type ToEstimate = {
  readonly content: QuoteContent;
  readonly services: readonly QuotedService[];
  readonly currency: Currency;
  /** How several discounts reduce one bill. */
  readonly order: DiscountOrder;
  /** The organization's time zone. */
  readonly zone: string;
  /** In percent; "0" for an organization that pays no tax. */
  readonly taxRate: string;
  /** How each service is taxed, if configured; otherwise all at the rate. */
  readonly taxation?: Taxation | undefined;
  /** When the quote is accepted. */
  readonly at: Date;
  /** The name of a minimum spend on bills. */
  readonly minimumName: { readonly zhTW: string; readonly enUS: string };
};

/** A planned month; without charges it has no bill. */
export type PlannedMonth = {
  readonly month: BillingMonth;
  readonly plan: BillPlan | undefined;
  readonly figures: Figures;
};
export type PlannedQuote = {
  readonly first: PlannedMonth;
  /** The first whole month. */
  readonly full: PlannedMonth;
  readonly oneOffs: Money;
  readonly contract: Figures;
};

// Offered terms are not stored, so their ids only distinguish them, in the order in which they will be
// created.
const noRandomness = new Uint8Array(10);
/** The key of a single price's usage among the charges of its service. */
const singleUsage = 'usage';

/**
 * Plans the months of a contract from `at` on, each with the expected usage of a whole month.
 * @throws NoRateError when a price has no rate for some of the expected usage.
 */
export function planQuote(asked: ToEstimate): PlannedQuote {
  const { content, currency, zone, at } = asked;
  const firstMonth = monthOf(at, zone);
  // The first month alone does not represent a whole one.
  const count = Math.max(content.months, 2);
  let carried = carriedAtFirst(asked);
  const months: PlannedMonth[] = [];
  for (let index = 0; index < count; index++) {
    const { planned, after } = planMonth(asked, addMonths(firstMonth, index), index, carried);
    months.push(planned);
    carried = after;
  }
  const contract = months.slice(0, content.months).map(({ figures }) => figures);
  const [first, full] = months;
  return {
    first: required(first, 'the first month'),
    full: required(full, 'the second month'),
    oneOffs: sumMoney(
      oneOffsOf(asked).map(({ amount }) => amount),
      currency,
    ),
    contract: sumOf(contract, currency),
  };
}

/** What one month carries over to the next. */
type Carried = {
  readonly oneOffs: readonly OneOffInForce[];
  /** Indexes of single-bill discounts that were used. */
  readonly redeemed: ReadonlySet<string>;
  /** By grant, in minor units. */
  readonly used: ReadonlyMap<string, bigint>;
  /** The draws from each period of commitments. */
  readonly draws: ProposedDraws;
};
const carriedAtFirst = (asked: ToEstimate): Carried => ({
  oneOffs: oneOffsOf(asked),
  redeemed: new Set(),
  used: new Map(),
  draws: new Map(),
});

function planMonth(
  asked: ToEstimate,
  month: BillingMonth,
  index: number,
  carried: Carried,
): { readonly planned: PlannedMonth; readonly after: Carried } {
  const { currency, zone, taxRate, services } = asked;
  const subscriptions = services.map((service, place) => subscriptionOf(asked, service, place, month));
  const terms = termsIn(asked, month, index, carried);
  const planOn = (on: Terms): BillPlan | undefined =>
    planBills(subscriptions, month, zone, asked.taxation ?? taxRate, [], on).find(
      (plan) => plan.currency === currency,
    );
  const plan = planOn(terms);
  const before = planOn({ ...terms, discounts: [], commitments: [], minimumSpends: [], grants: [] });
  const rest = termsAfter(terms, plan ? [plan.applied] : []);
  const stillThere = new Set<string>(rest.discounts.map(({ redemptionId }) => redemptionId));
  const used = new Map(carried.used);
  for (const { id, amount } of plan?.applied.promotional ?? [])
    used.set(id, (used.get(id) ?? 0n) + amount.minor);
  return {
    planned: { month, plan, figures: figuresOf(currency, plan, before) },
    after: {
      oneOffs: rest.oneOffs,
      redeemed: new Set([
        ...carried.redeemed,
        ...terms.discounts.flatMap(({ redemptionId }) =>
          stillThere.has(redemptionId) ? [] : [redemptionId],
        ),
      ]),
      used,
      draws: drawsAfter(carried.draws, plan?.applied.commitments ?? []),
    },
  };
}

/** The subscription that an item becomes, in a month with the expected usage. */
function subscriptionOf(
  { at, zone }: ToEstimate,
  { item, plan, unit, unitOf, trialEndsAt, yearAnchor }: QuotedService,
  place: number,
  month: BillingMonth,
): BillableSubscription {
  const timeline: Timeline = {
    startedAt: at,
    endsAt: null,
    trialEndsAt,
    phases: [
      {
        from: at,
        serviceId: plan.id,
        quantity: item.quantity ?? '1',
        yearAnchor,
        ...(item.quantities && { chargeQuantities: item.quantities }),
      },
    ],
    pauses: [],
  };
  const planOf = () => plan;
  const times = planTimes(monthParts(timeline, planOf, month, zone));
  return {
    subscriptionId: encodeId('sub', place, noRandomness),
    serviceName: plan.name,
    timeline,
    planOf,
    // Expected usage has no times: all of it is counted in the last part of a month.
    times: times.map((time, index) =>
      usedTime(time, index === times.length - 1 ? item.usage : {}, unit, unitOf),
    ),
  };
}

function usedTime(
  time: PlanTime,
  usage: QuoteItem['usage'],
  unit: string,
  unitOf: QuotedService['unitOf'],
): UsedTime {
  const { pricing } = time.price;
  const own = expected(usage?.[singleUsage]);
  const single = { unit, quantity: own.quantity, events: eventsOf(own) };
  if (pricing.model !== 'rate_card') return { ...time, ...single };
  return {
    ...time,
    unit,
    quantity: zero,
    events: 0n,
    charges: new Map(
      pricing.charges.flatMap((charge: Charge): [string, UsedCharge][] => {
        if (charge.kind !== 'usage') return [];
        const of = expected(usage?.[charge.key]);
        return [[charge.key, { usage: of, unit: unitOf(charge.meter ?? '') ?? unit, events: eventsOf(of) }]];
      }),
    ),
  };
}

function expected(usage: NonNullable<QuoteItem['usage']>[string] | undefined): ChargeUsage {
  if (usage === undefined || typeof usage === 'string') return usageOfQuantity(decimal(usage ?? '0'));
  return usageOfEvents(
    { aggregation: 'sum' },
    usage.map(({ value, dimensions = {} }) => ({ value: decimal(value), dimensions })),
  );
}
const eventsOf = ({ quantity, events }: ChargeUsage): bigint =>
  isZero(quantity) ? 0n : BigInt(Math.max(events.length, 1));

/** The one-off charges, in the order in which bills list them. */
function oneOffsOf({ content, currency, services }: ToEstimate): OneOffInForce[] {
  return content.oneOffs.map(({ name, quantity = '1', unitPrice, serviceId }, index) => {
    const priced = pricedOneOff({ kind: 'charge', quantity, unitPrice, currency });
    if ('code' in priced) throw new Error('a one-off charge was not checked');
    const place = services.findIndex(({ plan }) => plan.id === serviceId);
    return {
      ...priced,
      id: encodeId('ooc', index, noRandomness),
      version: 0n,
      name,
      subscriptionId: place < 0 ? null : encodeId('sub', place, noRandomness),
    };
  });
}

/**
 * Whether a term of a number of months (null: until further notice) still applies in the month at an index.
 */
const lasts = (months: number | null, index: number): boolean => months === null || index < months;

function termsIn(asked: ToEstimate, month: BillingMonth, index: number, carried: Carried): Terms {
  const { content, currency, order, minimumName, at, zone } = asked;
  const { minimumSpend } = content;
  return {
    ...noTerms,
    oneOffs: carried.oneOffs,
    order,
    discounts: content.discounts.flatMap((discount, place): DiscountInForce[] => {
      const redemptionId = encodeId('rdm', place, noRandomness);
      const isOnce = discount.months === null;
      if (isOnce ? carried.redeemed.has(redemptionId) : !lasts(discount.months, index)) return [];
      return [
        {
          redemptionId,
          version: 0n,
          name: discount.name,
          reduction: discount.fixed
            ? { kind: 'fixed', amount: discount.fixed }
            : { kind: 'percent', percent: required(discount.percent, 'a percentage') },
          maximum: discount.maximum ?? null,
          scope: {
            subscriptionId: null,
            services:
              typeof discount.serviceId === 'string'
                ? [{ serviceId: discount.serviceId, chargeKeys: null }]
                : null,
          },
          isOnce,
        },
      ];
    }),
    commitments: proposedInForce(
      (content.commitments ?? []).map(({ scope, ...commitment }) => ({
        ...commitment,
        // As stored when the quote is accepted.
        scope: scopeOf(scope ?? wholeScope),
      })),
      { currency, startsOn: monthOf(at, zone) },
      month,
      carried.draws,
    ),
    minimumSpends:
      minimumSpend && lasts(minimumSpend.months, index)
        ? [{ id: encodeId('msp', 0, noRandomness), name: minimumName, amount: minimumSpend.amount }]
        : [],
    grants: grantsIn(asked, month, carried),
  };
}

/** The last month of a grant that is granted in a month; null for any. */
export const lastGrantMonth = (
  given: BillingMonth,
  { months }: Pick<QuoteGrant, 'months'>,
): BillingMonth | null => (months === null ? null : addMonths(given, months - 1));

function grantsIn({ content, at, zone }: ToEstimate, month: BillingMonth, { used }: Carried): GrantInForce[] {
  const startsOn = monthOf(at, zone);
  return content.grants
    .map((grant, place) => {
      const id = encodeId('cgr', place, noRandomness);
      const lastMonth = lastGrantMonth(startsOn, grant);
      const recurring = grant.monthly ?? null;
      const available = availableIn(
        {
          amount: grant.amount.minor,
          startsOn,
          lastMonth,
          recurring,
          isWithdrawn: false,
          granted: recurring ? 0n : grant.amount.minor,
          taken: used.get(id) ?? 0n,
          // Each month is planned once.
          takenInMonth: 0n,
        },
        month,
      );
      return {
        rank: { priority: usualPriority, lastMonth, createdAt: at, id },
        inForce: {
          id,
          version: 0n,
          kind: 'promotional',
          name: grant.name,
          available: money(available, grant.amount.currency),
          isOfMonth: recurring !== null && !recurring.rollover,
          scope: { ...wholeScope, usageOnly: grant.usageOnly ?? false },
        } satisfies GrantInForce,
      };
    })
    .filter(({ inForce }) => inForce.available.minor > 0n)
    .toSorted((a, b) => byBurnOrder(a.rank, b.rank))
    .map(({ inForce }) => inForce);
}

function figuresOf(currency: Currency, plan: BillPlan | undefined, before: BillPlan | undefined): Figures {
  const nothing = money(0n, currency);
  const totalsOf = (of: BillPlan | undefined) => ({
    net: of?.net ?? nothing,
    tax: of?.tax ?? nothing,
    total: of?.total ?? nothing,
  });
  return {
    before: totalsOf(before),
    discount: takenOf(currency, plan?.applied.discounts ?? []),
    commitment: sumOfKinds(currency, plan, ['committed_rate', 'overage_rate', 'true_up']),
    minimum: sumOfKinds(currency, plan, ['minimum_spend']),
    promotional: takenOf(currency, plan?.applied.promotional ?? []),
    ...totalsOf(plan),
  };
}

function sumOf(months: readonly Figures[], currency: Currency): Figures {
  const sum = (pick: (figures: Figures) => Money): Money => sumMoney(months.map(pick), currency);
  return {
    before: {
      net: sum(({ before }) => before.net),
      tax: sum(({ before }) => before.tax),
      total: sum(({ before }) => before.total),
    },
    discount: sum(({ discount }) => discount),
    commitment: sum(({ commitment }) => commitment),
    minimum: sum(({ minimum }) => minimum),
    promotional: sum(({ promotional }) => promotional),
    net: sum(({ net }) => net),
    tax: sum(({ tax }) => tax),
    total: sum(({ total }) => total),
  };
}
