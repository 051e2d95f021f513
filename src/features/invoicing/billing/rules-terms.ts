// What was agreed with an organization, on its bill: one-off charges, then discounts, then the rates of commitments and
// what is missing of them, then what is missing of a minimum spend, then promotional credit, then what interim bills
// charged; after tax, prepaid credit pays (rating.md, "Peers' conventions").
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

/** A minimum spend, and what the line that fills up to it is called on bills. */
type NamedMinimumSpend = MinimumSpendInForce & Pick<LineTerm, 'name'>;

/** What is in force for an organization in a month. */
export type Terms = {
  readonly oneOffs: readonly OneOffInForce[];
  readonly discounts: readonly DiscountInForce[];
  readonly order: DiscountOrder;
  /** Those for named services first: a line draws of the first one that covers it. */
  readonly commitments: readonly CommitmentInForce[];
  readonly minimumSpends: readonly NamedMinimumSpend[];
  /** In the order in which they are used up. */
  readonly grants: readonly GrantInForce[];
  /** The month's interim bills that stand. */
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

/** An amount that a bill takes of a term, and the version of the term that it was planned by. */
export type TakenOf<Term extends string> = {
  readonly id: Term;
  readonly version: bigint;
  readonly amount: Money;
};
/** What a bill takes of the organization's terms: once it is issued, they are used up by that much. */
export type AppliedTerms = {
  readonly oneOffs: readonly TakenOf<Id<'ooc'>>[];
  readonly discounts: readonly TakenOf<Id<'rdm'>>[];
  readonly commitments: readonly DrawnCommitment[];
  /** The interim bills that it takes off. */
  readonly interims: readonly Id<'bil'>[];
  /** Taken off before tax. */
  readonly promotional: readonly TakenOf<Id<'cgr'>>[];
  /** Pays the bill as it is issued. */
  readonly prepaid: readonly TakenOf<Id<'cgr'>>[];
};

export type BillPlan = {
  readonly currency: Currency;
  readonly lines: readonly PlannedBillLine[];
  readonly net: Money;
  /** In percent, of the lines that are taxed as usual. */
  readonly taxRate: string;
  /** Where it says by category how it is taxed. */
  readonly taxes?: BillTax[];
  readonly tax: Money;
  readonly total: Money;
  readonly applied: AppliedTerms;
};

/** The sum of amounts that a plan takes of one kind of terms. */
export const takenOf = (currency: Currency, taken: readonly TakenOf<string>[]): Money =>
  money(
    taken.reduce((sum, { amount }) => sum + amount.minor, 0n),
    currency,
  );

/** What a planned bill's lines of some kinds come to; zero without a bill. */
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
 * What terms leave for a later month's bill once earlier bills took of them: what is billed or used once is gone,
 * and credit is there with its rest.
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

/** A one-off charge as a line, beside its service where it has one on this bill. */
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

/** An interim bill: its lines and the tax on them. What was agreed is on the bill of the month, and counted in the lines already. */
export const planInterimBill = (
  currency: Currency,
  lines: readonly PlannedBillLine[],
  taxation: string | Taxation,
): BillPlan => billWithTerms(currency, lines, noTerms, taxation);

/** The bill of a one-off charge alone, beside the service that it is for. */
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
 * Adds up one bill: the given lines in their order, then those of the terms. Asserts that what is left of the
 * lines is the net amount, so that no share is lost or taken twice. `taxed`: how each line is taxed, or a rate in percent for all.
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
  // A share names its line by the place on the bill: what changes lines stands between them and what is missing.
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
 * Net, taxes and total. Where nothing is stated by category, by the function that simulated bills are added up with: one tax on
 * everything, whose lines nobody reads.
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

/** A line for each discount that takes something; what the lines have left falls by their shares. */
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
 * The discounts that take something, with their shares. One whose shares of charges and of refunds cancel each other
 * out is on no bill and not used up by it: the others are shared out as if there were none such.
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

/** Discounts lower what is charged; a credit that was given once is not made smaller by them, and a late fee stays. */
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
 * What fees and usage lack of the agreed minimum after discounts, before tax. One-off charges do not count
 * towards it and one-off credits do not make it larger.
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
/** A line for each promotional grant that gives something. All of them together never give more than is charged. */
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

/** What prepaid grants pay of the total: of each line what is left of it with its part of the tax. */
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
  // The same taxes, on what is left of the lines.
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

/** Uses grants up in their order, no more of all together than `most`. */
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
