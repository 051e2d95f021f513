// Rules of the contract simulation: the cost of months on proposed terms, computed with the functions of real
// bills. Credit and commitments are used up month after month.
import { required } from '#kernel/assert.ts';
import { decimal, isZero, type Decimal } from '#kernel/decimal.ts';
import { encodeId } from '#kernel/ids.ts';
import { money, subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
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
import { scopeOf, type GrantInForce } from '#features/invoicing/credit-grants/rules.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import type { DiscountOrder } from '#features/invoicing/discounts/contract.ts';
import type { DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import { grownBlock } from '#features/selling/rating/rules.ts';
import type { BillableSubscription, UsedCharge } from '#features/selling/subscriptions/rules.ts';
import type { ProposedCredit, ProposedTerms, SimulatedContract, SimulatedMonth } from './contract-terms.ts';
import { commitmentCourses, commitmentProposal, type SimulatedTime } from './rules-contract-commitments.ts';

/** By what `growthPercent` multiplies usage. */
export const growthFactor = (growthPercent: string): Decimal =>
  decimal(growthPercent).times(decimal('0.01')).plus(decimal('1'));

/**
 * The same subscriptions with `growthPercent` more usage, exactly: quantities, those by dimension, and the
 * values of single events, whose number is unchanged. Fees and their quantities are unchanged.
 */
export function grown(
  subscriptions: readonly BillableSubscription[],
  growthPercent: string,
): BillableSubscription[] {
  if (isZero(decimal(growthPercent))) return [...subscriptions];
  const factor = growthFactor(growthPercent);
  const grownCharge = ({ usage, ...charge }: UsedCharge): UsedCharge => ({
    ...charge,
    usage: {
      quantity: usage.quantity.times(factor),
      cells: usage.cells.map((cell) => ({ ...cell, quantity: cell.quantity.times(factor) })),
      events: usage.events.map((block) => grownBlock(block, factor)),
    },
  });
  return subscriptions.map((subscription) => ({
    ...subscription,
    times: subscription.times.map((time) => ({
      ...time,
      quantity: time.quantity.times(factor),
      ...(time.charges && {
        charges: new Map([...time.charges].map(([key, charge]) => [key, grownCharge(charge)])),
      }),
    })),
  }));
}

/** The totals of a month's bill. */
export type BilledMonth = {
  /** In percent. */
  readonly taxRate: string;
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** The net amount of lines that a simulation does not include. */
  readonly other: Money;
};
/** A closed month of one organization. */
export type ClosedMonth = {
  readonly month: BillingMonth;
  readonly subscriptions: readonly BillableSubscription[];
  readonly billed: BilledMonth | undefined;
};
export type Proposal = {
  readonly terms: ProposedTerms;
  readonly order: DiscountOrder;
  readonly currency: Currency;
  /** The organization's time zone. */
  readonly zone: string;
  /** In percent, for months without a bill. */
  readonly taxRate: string;
  /** How each service is taxed, if configured; takes precedence over the rates of bills. */
  readonly taxation?: Taxation;
  /** The last month that will be simulated. */
  readonly lastMonth: BillingMonth;
};

/** The use of a credit, in minor units: `given` = `used` + `left` + `expired`. */
type CreditCourse = {
  readonly given: bigint;
  readonly used: bigint;
  readonly left: bigint;
  readonly expired: bigint;
};
/** The state of a simulation after some months. */
export type Simulation = {
  readonly proposal: Proposal;
  readonly months: readonly SimulatedMonth[];
  readonly credits: readonly CreditCourse[];
  /** Their draws from the proposed commitments. */
  readonly draws: ProposedDraws;
};

/** Returns a simulation before its first month: one-time credit is available. */
export const newSimulation = (proposal: Proposal): Simulation => ({
  proposal,
  months: [],
  credits: proposal.terms.credits.map(({ monthly, amount }) => {
    const given = monthly ? 0n : amount.minor;
    return { given, used: 0n, left: given, expired: 0n };
  }),
  draws: new Map(),
});

// Proposed terms are not stored, so their ids only distinguish them.
const noRandomness = new Uint8Array(10);
const creditId = (index: number) => encodeId('cgr', index, noRandomness);
const unnamed = { zhTW: '', enUS: '' };

/** Simulates the next month, with the remaining credit and the commitment draws of earlier months. */
export function simulateMonth(before: Simulation, closed: ClosedMonth): Simulation {
  const { proposal } = before;
  const { terms, currency, zone } = proposal;
  const given = before.credits.map((course, index) =>
    renewed(course, required(terms.credits[index], 'a credit')),
  );
  const inForce: Terms = {
    ...termsInForce(
      proposal,
      given.map(({ left }) => left),
    ),
    commitments: commitmentsInForce(before, closed.month),
  };
  const subscriptions = grown(closed.subscriptions, terms.growthPercent ?? '0');
  // The bill's own rate: a rate that has changed since must not appear as an effect of the terms.
  const taxRate = closed.billed?.taxRate ?? proposal.taxRate;
  const planOn = (on?: Terms): BillPlan | undefined =>
    planBills(subscriptions, closed.month, zone, proposal.taxation ?? taxRate, [], on).find(
      (plan) => plan.currency === currency,
    );
  const plan = planOn(inForce);
  const after = termsAfter(inForce, plan ? [plan.applied] : []);
  const leftOf = new Map(after.grants.map(({ id, available }) => [id, available.minor]));
  return {
    proposal,
    months: [...before.months, monthOn(currency, closed, planOn(), plan)],
    credits: given.map((course, index) =>
      usedUpTo(course, leftOf.get(creditId(index)) ?? 0n, required(terms.credits[index], 'a credit')),
    ),
    draws: drawsAfter(before.draws, plan?.applied.commitments ?? []),
  };
}

function commitmentsInForce(
  { proposal: { terms, currency, lastMonth }, months, draws }: Simulation,
  month: BillingMonth,
): Terms['commitments'] {
  const startsOn = months[0]?.month ?? month;
  const proposed = (terms.commitments ?? []).map((commitment) =>
    commitmentProposal(commitment, { startsOn, lastMonth }),
  );
  return proposedInForce(proposed, { currency, startsOn }, month, draws);
}

/** Monthly credit is renewed before each month. */
function renewed(course: CreditCourse, { monthly, amount }: ProposedCredit): CreditCourse {
  if (!monthly) return course;
  return { ...course, given: course.given + amount.minor, left: course.left + amount.minor };
}

/** After a month: the remainder of monthly credit without rollover expires. */
function usedUpTo(
  course: CreditCourse,
  left: bigint,
  { monthly, rollover = false }: ProposedCredit,
): CreditCourse {
  const used = course.used + course.left - left;
  return monthly && !rollover
    ? { ...course, used, left: 0n, expired: course.expired + left }
    : { ...course, used, left };
}

/**
 * Returns the proposed terms as they apply to a bill; `left` holds the remainder of each credit, by index.
 */
function termsInForce({ terms, order, currency }: Proposal, left: readonly bigint[]): Terms {
  return {
    ...noTerms,
    order,
    discounts: terms.discounts.map((discount, index): DiscountInForce => ({
      redemptionId: encodeId('rdm', index, noRandomness),
      version: 0n,
      name: unnamed,
      reduction: discount.fixed
        ? { kind: 'fixed', amount: discount.fixed }
        : { kind: 'percent', percent: discount.percent ?? '0' },
      maximum: discount.maximum ?? null,
      scope: {
        subscriptionId: null,
        services: discount.services?.map((serviceId) => ({ serviceId, chargeKeys: null })) ?? null,
      },
      isOnce: false,
    })),
    minimumSpends: terms.minimumSpend
      ? [{ id: encodeId('msp', 0, noRandomness), name: unnamed, amount: terms.minimumSpend }]
      : [],
    grants: terms.credits.flatMap((credit, index): GrantInForce[] => {
      const available = left[index] ?? 0n;
      if (available <= 0n) return [];
      return [
        {
          id: creditId(index),
          version: 0n,
          kind: credit.kind,
          name: unnamed,
          available: money(available, currency),
          // What a month leaves of monthly credit is handled afterwards, by `usedUpTo`.
          isOfMonth: false,
          scope: scopeOf({
            services: credit.services ?? null,
            charges: credit.charges ?? null,
            usageOnly: credit.usageOnly ?? false,
          }),
        },
      ];
    }),
  };
}

function monthOn(
  currency: Currency,
  { month, billed }: ClosedMonth,
  without: BillPlan | undefined,
  plan: BillPlan | undefined,
): SimulatedMonth {
  const nothing = money(0n, currency);
  const totalsOf = (of: Pick<BillPlan, 'net' | 'tax' | 'total'> | undefined) => ({
    net: of?.net ?? nothing,
    tax: of?.tax ?? nothing,
    total: of?.total ?? nothing,
  });
  const simulated = {
    ...totalsOf(plan),
    discount: takenOf(currency, plan?.applied.discounts ?? []),
    promotional: takenOf(currency, plan?.applied.promotional ?? []),
    commitment: sumOfKinds(currency, plan, ['committed_rate', 'overage_rate', 'true_up']),
    minimum: sumOfKinds(currency, plan, ['minimum_spend']),
    prepaid: takenOf(currency, plan?.applied.prepaid ?? []),
  };
  return {
    month,
    billed: billed ? totalsOf(billed) : null,
    onlyBilled: billed?.other ?? nothing,
    withoutTerms: totalsOf(without),
    simulated,
    difference: subtractMoney(simulated.total, billed?.total ?? nothing),
  };
}

/** Returns the months with their sums, and the outcome of the credits and commitments. */
export function outcomeOf({ proposal, months, credits, draws }: Simulation): SimulatedContract {
  const { currency, terms, lastMonth } = proposal;
  const first = months[0];
  const time: SimulatedTime | undefined = first && { startsOn: first.month, lastMonth };
  const sum = (pick: (month: SimulatedMonth) => Money): Money => sumMoney(months.map(pick), currency);
  const nothing = money(0n, currency);
  return {
    months: [...months],
    sums: {
      billed: months.some(({ billed }) => billed)
        ? {
            net: sum(({ billed }) => billed?.net ?? nothing),
            tax: sum(({ billed }) => billed?.tax ?? nothing),
            total: sum(({ billed }) => billed?.total ?? nothing),
          }
        : null,
      onlyBilled: sum(({ onlyBilled }) => onlyBilled),
      withoutTerms: {
        net: sum(({ withoutTerms }) => withoutTerms.net),
        tax: sum(({ withoutTerms }) => withoutTerms.tax),
        total: sum(({ withoutTerms }) => withoutTerms.total),
      },
      simulated: {
        net: sum(({ simulated }) => simulated.net),
        discount: sum(({ simulated }) => simulated.discount),
        promotional: sum(({ simulated }) => simulated.promotional),
        commitment: sum(({ simulated }) => simulated.commitment),
        minimum: sum(({ simulated }) => simulated.minimum),
        tax: sum(({ simulated }) => simulated.tax),
        total: sum(({ simulated }) => simulated.total),
        prepaid: sum(({ simulated }) => simulated.prepaid),
      },
      difference: sum(({ difference }) => difference),
    },
    credits: credits.map(({ given, used, left, expired }, index) => ({
      index,
      given: money(given, currency),
      used: money(used, currency),
      left: money(left, currency),
      expired: money(expired, currency),
    })),
    commitments: commitmentCourses(terms.commitments ?? [], currency, time, draws),
  };
}
