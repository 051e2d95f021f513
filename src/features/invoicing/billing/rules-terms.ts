// Applies an organization's terms to its bill: one-off charges, then discounts, then the rates and true-ups
// of commitments, then the shortfall of a minimum spend, then promotional credit, then deductions for interim
// bills; after tax, prepaid credit pays (rating.md, "Peers' conventions").
import { assert, required } from '#kernel/assert.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { DiscountOrder } from '#features/invoicing/discounts/contract.ts';
import { covers, discountShares, spread, type DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import { burn, type GrantInForce } from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentInForce } from '#features/invoicing/commitments/rules.ts';
import type { MinimumSpendInForce, OneOffInForce } from '#features/invoicing/one-offs/rules.ts';
import type { BillTax, LineTerm } from './contract.ts';
import { commitmentLines, commitmentsAfter, type DrawnCommitment } from './rules-commitments.ts';
import { deductionLines, type InterimBill } from './rules-interim.ts';
import type { PlannedBillLine } from './rules-late.ts';
import {
  agreedStep,
  namedShares,
  natureOf,
  ofOrganization,
  take,
  termLine,
  type Remaining,
  type Service,
} from './rules-term-lines.ts';
import { plainTaxation, type Taxation } from '#features/invoicing/taxes/rules.ts';
import { taxOfLine, taxOfRows, taxRows, taxesByLine } from './rules-taxes.ts';
import { chargesOf } from './rules-totals.ts';

/** A minimum spend, and the name on bills of the line that fills it up. */
type NamedMinimumSpend = MinimumSpendInForce & Pick<LineTerm, 'name'>;

/** The terms in force for an organization in a month. */
export type Terms = {
  readonly oneOffs: readonly OneOffInForce[];
  readonly discounts: readonly DiscountInForce[];
  readonly order: DiscountOrder;
  /** Commitments for specific services first: a line draws from the first one that covers it. */
  readonly commitments: readonly CommitmentInForce[];
  readonly minimumSpends: readonly NamedMinimumSpend[];
  /** In the order in which they are used up. */
  readonly grants: readonly GrantInForce[];
  /** The month's interim bills in force. */
  readonly interims: readonly InterimBill[];
};
export const noTerms: Terms = {
  oneOffs: [],
  discounts: [],
  order: 'as_listed',
  commitments: [],
  minimumSpends: [],
  grants: [],
  interims: [],
};

/** An amount that a bill takes from a term, and the version of the term it was planned with. */
export type TakenOf<Term extends string> = {
  readonly id: Term;
  readonly version: bigint;
  readonly amount: Money;
};
/** What a bill takes from the organization's terms; issuing it uses them up by these amounts. */
export type AppliedTerms = {
  readonly oneOffs: readonly TakenOf<Id<'ooc'>>[];
  readonly discounts: readonly TakenOf<Id<'rdm'>>[];
  readonly commitments: readonly DrawnCommitment[];
  /** The interim bills that it deducts. */
  readonly interims: readonly Id<'bil'>[];
  /** Deducted before tax. */
  readonly promotional: readonly TakenOf<Id<'cgr'>>[];
  /** Pays the bill when it is issued. */
  readonly prepaid: readonly TakenOf<Id<'cgr'>>[];
};

export type BillPlan = {
  readonly currency: Currency;
  readonly lines: readonly PlannedBillLine[];
  readonly net: Money;
  /** In percent, for lines at the standard rate. */
  readonly taxRate: string;
  /** The tax by category, if there is more than one way of taxing. */
  readonly taxes?: BillTax[];
  readonly tax: Money;
  readonly total: Money;
  readonly applied: AppliedTerms;
};

/** The sum that a plan takes from one kind of terms. */
export const takenOf = (currency: Currency, taken: readonly TakenOf<string>[]): Money =>
  money(
    taken.reduce((sum, { amount }) => sum + amount.minor, 0n),
    currency,
  );

/** The sum of a planned bill's lines of some kinds; zero without a bill. */
export const sumOfKinds = (
  currency: Currency,
  plan: Pick<BillPlan, 'lines'> | undefined,
  kinds: readonly PlannedBillLine['kind'][],
): Money =>
  money(
    (plan?.lines ?? []).reduce(
      (sum, { kind, amount }) => (kinds.includes(kind) ? sum + amount.minor : sum),
      0n,
    ),
    currency,
  );

/**
 * What remains of terms for a later month's bill after earlier bills used them: one-time terms are gone, and
 * credit is reduced.
 */
export function termsAfter(terms: Terms, applied: readonly AppliedTerms[]): Terms {
  const [billed, redeemed] = [new Set<string>(), new Set<string>()];
  const used = new Map<string, bigint>();
  for (const { oneOffs, discounts, promotional, prepaid } of applied) {
    for (const { id } of oneOffs) billed.add(id);
    for (const { id } of discounts) redeemed.add(id);
    for (const { id, amount } of [...promotional, ...prepaid])
      used.set(id, (used.get(id) ?? 0n) + amount.minor);
  }
  return {
    ...terms,
    oneOffs: terms.oneOffs.filter(({ id }) => !billed.has(id)),
    discounts: terms.discounts.filter(({ isOnce, redemptionId }) => !isOnce || !redeemed.has(redemptionId)),
    commitments: commitmentsAfter(
      terms.commitments,
      applied.map(({ commitments }) => commitments),
    ),
    grants: terms.grants
      .map((grant) => {
        const rest = grant.available.minor - (grant.isOfMonth ? 0n : (used.get(grant.id) ?? 0n));
        return { ...grant, available: money(rest, grant.available.currency) };
      })
      .filter(({ available }) => available.minor > 0n),
  };
}

/** Builds the line of a one-off charge, next to its service if that is on the bill. */
export function oneOffLine(oneOff: OneOffInForce, services: ReadonlyMap<string, Service>): PlannedBillLine {
  const { id, name, quantity, amount } = oneOff;
  const sign = amount.minor < 0n ? decimal('-1') : decimal('1');
  const unitPrice = decimalText(decimal(oneOff.unitPrice).times(sign));
  const exact = decimal(quantity).times(decimal(unitPrice));
  return {
    kind: 'one_off',
    ...((oneOff.subscriptionId !== null && services.get(oneOff.subscriptionId)) || ofOrganization),
    priceVersionId: null,
    term: { id, name },
    quantity,
    unit: '',
    unitPrice,
    exact,
    amount,
    steps: [{ kind: 'unit', from: null, upTo: null, quantity, unitPrice, amount: decimalText(exact) }],
    forMonth: null,
    ...(oneOff.origin === 'late_fee' && { lateFee: { taxedAs: oneOff.taxedAs ?? 'standard' } }),
  };
}

/**
 * Plans an interim bill: its lines and their tax. Terms apply to the month's bill, and their effect is
 * already included in the lines.
 */
export const planInterimBill = (
  currency: Currency,
  lines: readonly PlannedBillLine[],
  taxation: string | Taxation,
): BillPlan => billWithTerms(currency, lines, noTerms, taxation);

/** Plans the bill of a one-off charge alone, with the service that it is for. */
export function planOneOffBill(
  oneOff: OneOffInForce,
  service: Service | undefined,
  taxation: string | Taxation,
): BillPlan {
  const services = new Map(service ? [[service.subscriptionId ?? '', service]] : []);
  const terms = { ...noTerms, oneOffs: [oneOff] };
  return billWithTerms(oneOff.amount.currency, [oneOffLine(oneOff, services)], terms, taxation);
}

/**
 * Computes one bill: the given lines in order, followed by those of the terms. Asserts that what remains of
 * the lines equals the net amount, so that no share is lost or taken twice. `taxed`: how each line is taxed,
 * or one rate in percent for all.
 */
export function billWithTerms(
  currency: Currency,
  base: readonly PlannedBillLine[],
  terms: Terms,
  taxed: string | Taxation,
): BillPlan {
  const taxation = typeof taxed === 'string' ? plainTaxation(taxed) : taxed;
  const remaining = base.map(asRemaining);
  const discounts = discountLines(currency, remaining, terms);
  const { rates, trueUps, drawn } = commitmentLines(currency, remaining, terms.commitments);
  remaining.push(...trueUps.map(asRemaining));
  const minimums = minimumLines(currency, remaining, terms.minimumSpends);
  remaining.push(...minimums.map(asRemaining));
  const reductions = [...discounts.lines, ...rates];
  // A share refers to its line by position on the bill: the lines that reduce others come before the
  // shortfall lines.
  const placeOf = (index: number): number => (index < base.length ? index : index + reductions.length);
  const promotional = promotionalLines(currency, remaining, terms.grants, placeOf);
  const deductions = deductionLines(currency, terms.interims);
  const lines = [...base, ...reductions, ...trueUps, ...minimums, ...promotional.lines, ...deductions];
  const { net, tax, total, taxes } = totalsOf(currency, lines, taxation);
  assert(
    remaining.reduce((sum, { left }) => sum + left, 0n) + sumOf(deductions) === net.minor,
    'what terms leave of the lines, less what interim bills charged, is the net amount',
  );
  return {
    currency,
    lines,
    net,
    taxRate: taxation.standard.rate,
    ...(taxation.isStated && { taxes }),
    tax,
    total,
    applied: {
      oneOffs: takenOneOffs(base, terms),
      discounts: discounts.taken,
      commitments: drawn,
      interims: terms.interims.flatMap((interim) => (interim.currency === currency ? interim.id : [])),
      promotional: promotional.taken,
      prepaid: prepaidUses(currency, remaining, terms.grants, { taxation, taxes, total }),
    },
  };
}

/**
 * Net, taxes and total. Without taxation by category, uses the function for simulated bills: one tax on
 * everything, without per-line results.
 */
function totalsOf(
  currency: Currency,
  lines: readonly PlannedBillLine[],
  taxation: Taxation,
): Pick<BillPlan, 'net' | 'tax' | 'total'> & { readonly taxes: BillTax[] } {
  if (!taxation.isStated) {
    const {
      subtotal: net,
      taxTotal: tax,
      total,
    } = chargesOf({
      currency,
      lines,
      taxRate: taxation.standard.rate,
    });
    return { net, tax, total, taxes: [{ ...taxation.standard, net, tax, lines: [] }] };
  }
  const taxes = taxRows(currency, lines, taxation);
  const net = money(sumOf(lines), currency);
  const tax = taxOfRows(taxes, currency);
  return { net, tax, total: money(net.minor + tax.minor, currency), taxes };
}

const sumOf = (lines: readonly PlannedBillLine[]): bigint =>
  lines.reduce((sum, { amount }) => sum + amount.minor, 0n);
const asRemaining = (line: PlannedBillLine): Remaining => ({ line, left: line.amount.minor });

function takenOneOffs(base: readonly PlannedBillLine[], { oneOffs }: Terms): AppliedTerms['oneOffs'] {
  const onBill = new Set(base.flatMap(({ kind, term }) => (kind === 'one_off' && term ? term.id : [])));
  return oneOffs
    .filter(({ id }) => onBill.has(id))
    .map(({ id, version, amount }) => ({ id, version, amount }));
}

/**
 * Builds a line for each discount that takes something, and reduces the lines' remaining amounts by its
 * shares.
 */
function discountLines(
  currency: Currency,
  remaining: readonly Remaining[],
  { discounts, order }: Terms,
): { readonly lines: PlannedBillLine[]; readonly taken: AppliedTerms['discounts'] } {
  const lines: PlannedBillLine[] = [];
  const taken: TakenOf<Id<'rdm'>>[] = [];
  for (const { discount, shares: own } of discountsTaking(remaining, discounts, order)) {
    const { redemptionId, version, name, reduction, maximum, scope } = discount;
    const amount = take(currency, remaining, own);
    taken.push({ id: redemptionId, version, amount });
    lines.push(
      termLine({
        kind: 'discount',
        amount: money(-amount.minor, currency),
        steps: [],
        service:
          scope.subscriptionId === null ? undefined : serviceOfSubscription(remaining, scope.subscriptionId),
        term: {
          id: redemptionId,
          name,
          reduction: reduction.kind === 'percent' ? { ...reduction, maximum } : reduction,
          shares: namedShares(own, (index) => index),
        },
      }),
    );
  }
  return { lines, taken };
}

/**
 * Returns the discounts that take something, with their shares. A discount whose shares of charges and
 * refunds cancel out is not on the bill and is not used up by it; the others are distributed as if it did not
 * exist.
 */
function discountsTaking(
  remaining: readonly Remaining[],
  discounts: readonly DiscountInForce[],
  order: DiscountOrder,
): readonly { readonly discount: DiscountInForce; readonly shares: readonly Money[] }[] {
  if (discounts.length === 0) return [];
  const shares = discountShares(
    remaining.map(({ line }) => ({ amount: line.amount })),
    discounts.map(({ reduction, maximum, scope }) => ({
      ...(reduction.kind === 'percent' ? { ...reduction, maximum } : reduction),
      covers: (index) => isReducible(required(remaining[index], 'a line').line, scope),
    })),
    order,
  );
  const shared = discounts.map((discount, place) => {
    const own = required(shares[place], 'the shares of a discount');
    return {
      discount,
      shares: own,
      isNothing: own.every(({ minor }) => minor === 0n),
      isCancelled: own.reduce((sum, { minor }) => sum + minor, 0n) === 0n,
    };
  });
  const cancelled = shared.find(({ isNothing, isCancelled }) => isCancelled && !isNothing);
  if (!cancelled) return shared.filter(({ isNothing }) => !isNothing);
  return discountsTaking(
    remaining,
    discounts.filter((discount) => discount !== cancelled.discount),
    order,
  );
}

/** Discounts reduce charges; they do not reduce a one-off credit or a late fee. */
function isReducible(line: PlannedBillLine, scope: DiscountInForce['scope']): boolean {
  if (line.lateFee || (line.kind === 'one_off' && line.amount.minor < 0n)) return false;
  const { subscriptionId, serviceId, charge } = line;
  return covers(scope, { subscriptionId, serviceId, chargeKey: charge?.key ?? null });
}

function serviceOfSubscription(remaining: readonly Remaining[], subscriptionId: string): Service | undefined {
  const found = remaining.find(({ line }) => line.subscriptionId === subscriptionId)?.line;
  return found && { subscriptionId, serviceId: found.serviceId, serviceName: found.serviceName };
}

/**
 * The shortfall of fees and usage to the agreed minimum, after discounts and before tax. One-off charges do
 * not count towards it, and one-off credits do not increase it.
 */
function minimumLines(
  currency: Currency,
  remaining: readonly Remaining[],
  minimumSpends: readonly NamedMinimumSpend[],
): PlannedBillLine[] {
  const charged = remaining.reduce((sum, { line, left }) => (line.kind === 'one_off' ? sum : sum + left), 0n);
  return minimumSpends
    .filter(({ amount }) => amount.currency === currency && amount.minor > charged)
    .map(({ id, name, amount }) => {
      return termLine({
        kind: 'minimum_spend',
        amount: money(amount.minor - charged, currency),
        steps: [agreedStep('agreed', amount.minor, currency), agreedStep('charged', -charged, currency)],
        term: { id, name },
      });
    });
}
/** Builds a line for each promotional grant that is used. Together they never exceed the charges. */
function promotionalLines(
  currency: Currency,
  remaining: readonly Remaining[],
  grants: readonly GrantInForce[],
  placeOf: (index: number) => number,
): { readonly lines: PlannedBillLine[]; readonly taken: AppliedTerms['promotional'] } {
  const charged = remaining.reduce((sum, { left }) => sum + left, 0n);
  const uses = usesOf(
    currency,
    grants.filter(({ kind }) => kind === 'promotional'),
    remaining.map(({ line, left }) => ({ line, left })),
    charged,
  );
  for (const { shares } of uses) take(currency, remaining, shares);
  return {
    taken: uses.map(({ grant, amount }) => ({ id: grant.id, version: grant.version, amount })),
    lines: uses.map(({ grant, amount, shares }) =>
      termLine({
        kind: 'promotional_credit',
        amount: money(-amount.minor, currency),
        steps: [],
        term: { id: grant.id, name: grant.name, shares: namedShares(shares, placeOf) },
      }),
    ),
  };
}

/** What prepaid grants pay of the total: of each line, its remaining amount with its share of the tax. */
function prepaidUses(
  currency: Currency,
  remaining: readonly Remaining[],
  grants: readonly GrantInForce[],
  {
    taxation,
    taxes,
    total,
  }: { readonly taxation: Taxation; readonly taxes: BillTax[]; readonly total: Money },
): AppliedTerms['prepaid'] {
  const paid = grants.filter(({ kind }) => kind === 'paid');
  if (paid.length === 0) return [];
  // The same taxes, on the remaining amounts of the lines.
  const rows = taxes.map(({ category, rate, tax }) => ({
    tax,
    lines: remaining.flatMap(({ line }, index) => {
      const own = taxOfLine(taxation, line);
      return own.category === category && own.rate === rate ? [String(index + 1)] : [];
    }),
  }));
  const parts = taxesByLine(
    remaining.map(({ left }) => ({ amount: money(left, currency), shares: undefined })),
    rows,
  );
  return usesOf(
    currency,
    paid,
    remaining.map(({ line, left }, index) => ({ line, left: left + required(parts[index], 'a line’s tax') })),
    total.minor,
  ).map(({ grant, amount }) => ({ id: grant.id, version: grant.version, amount }));
}

type Use = { readonly grant: GrantInForce; readonly amount: Money; readonly shares: readonly Money[] };

/** Uses grants in order, together at most `most`. */
function usesOf(
  currency: Currency,
  grants: readonly GrantInForce[],
  lines: readonly Remaining[],
  most: bigint,
): Use[] {
  let rest = most > 0n ? most : 0n;
  const uses: Use[] = [];
  for (const grant of grants) {
    if (grant.available.currency !== currency || rest === 0n) continue;
    const available = grant.available.minor < rest ? grant.available.minor : rest;
    const [used] = burn(
      spread,
      [{ ...grant, available: money(available, currency) }],
      lines.map(({ line, left }) => ({
        serviceId: line.serviceId,
        chargeKey: line.charge?.key ?? null,
        nature: natureOf(line),
        left,
      })),
    );
    if (!used || used.amount.minor === 0n) continue;
    const shares = used.shares.map((minor) => money(minor, currency));
    rest -= take(currency, lines, shares).minor;
    uses.push({ grant, amount: used.amount, shares });
  }
  return uses;
}
