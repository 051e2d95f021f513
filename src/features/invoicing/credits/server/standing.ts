// Loads a bill for crediting: locked, with the remaining amount of each of its lines.
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { billingErrors, userOf } from '#features/invoicing/billing/contract.ts';
import {
  chargedOfLines,
  deferredSum,
  takenParts,
  type DeferredPart,
} from '#features/invoicing/billing/rules.ts';
import {
  billById,
  insertParts,
  linesOfBill,
  openParts,
  type StoredLine as BillStoredLine,
} from '#features/invoicing/billing/server/index.ts';
import type { CreditableLine, CreditedLine, CreditPreview } from '../contract.ts';
import {
  creditEntries,
  noUndoneTerms,
  splitCredit,
  storedTaxes,
  storedTaxesOf,
  sumOf,
  type StoredLine,
  type CreditedAmount,
  type UndoneTerms,
} from '../rules.ts';
import { creditedByLine } from './store.ts';

type FoundBill = NonNullable<Awaited<ReturnType<typeof billById>>>;
/** A bill, its stored lines, and their remaining amounts. */
export type CreditableBill = {
  readonly bill: FoundBill;
  readonly billLines: readonly BillStoredLine[];
  readonly lines: readonly StoredLine[];
  /** What discounts and promotional credit deducted from its lines. */
  readonly discount: bigint;
  readonly promotional: bigint;
  readonly promotionalOfTrueUps: bigint;
  /** The parts of its lines that are not revenue yet. */
  readonly deferred: readonly DeferredPart[];
};

/**
 * Returns a bill of an organization (null: of any); throws if it does not exist. With `lock`, no other
 * transaction can pay, credit or void it until this one ends.
 */
export async function findBill(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
  lock = false,
): Promise<FoundBill> {
  const bill = await billById(ctx, billId, organizationId, lock);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  return bill;
}

/**
 * Returns a bill with the remaining amounts of its lines, each with the changes by discounts, agreed rates
 * and promotional credit. With `lock`, deferred revenue stays unchanged until the transaction ends;
 * `isReplaced`: another bill replaces it at once.
 */
export async function standingOf(
  ctx: Ctx,
  bill: FoundBill,
  { lock = false, isReplaced = false } = {},
): Promise<CreditableBill> {
  const stored = await linesOfBill(ctx, bill.id, bill.currency);
  const billLines = stored.filter((line) => line.term?.shares === undefined);
  const takenBy = (kind: BillStoredLine['kind']): bigint =>
    stored.reduce((sum, line) => (line.kind === kind ? sum - line.total.minor : sum), 0n);
  const charged = chargedOfLines(
    stored.map(({ total, term }) => ({ amount: total.minor, shares: term?.shares })),
  );
  const nets = stored.flatMap((line, index) =>
    line.term?.shares === undefined
      ? [money(required(charged[index], 'a line’s charge'), bill.currency)]
      : [],
  );
  const credited = await creditedByLine(ctx, bill.id);
  const taxes = bill.taxes
    ? storedTaxesOf(
        nets,
        billLines.map(({ id }) => id),
        bill.taxes,
      )
    : storedTaxes(nets, bill.tax);
  const lines = billLines.map((line, index): StoredLine => ({
    id: line.id,
    net: required(nets[index], 'a line’s amount').minor,
    tax: required(taxes[index], 'a line’s tax'),
    creditedNet: credited.get(line.id)?.net ?? 0n,
    creditedTax: credited.get(line.id)?.tax ?? 0n,
  }));
  return {
    bill,
    billLines,
    lines,
    discount: takenBy('discount'),
    promotional: takenBy('promotional_credit'),
    promotionalOfTrueUps: billLines.reduce(
      (sum, { kind, total }, index) =>
        kind === 'true_up' ? sum + total.minor - required(nets[index], 'a line’s amount').minor : sum,
      0n,
    ),
    deferred: await openParts(ctx, bill.id, { lock, isReplaced }),
  };
}

const nameOf = (
  line: BillStoredLine,
): Pick<CreditedLine, 'lineId' | 'kind' | 'serviceName' | 'charge' | 'term' | 'forMonth'> => ({
  lineId: line.id,
  kind: line.kind,
  serviceName: line.serviceName,
  ...(line.charge && { charge: { name: line.charge.name } }),
  ...(line.term && { term: { name: line.term.name } }),
  ...(line.forMonth !== undefined && { forMonth: line.forMonth }),
});

/** The credited amounts with the names of the bill's lines. */
export function takenLines(
  billLines: readonly BillStoredLine[],
  taken: readonly CreditedAmount[],
  currency: Currency,
): CreditedLine[] {
  const byId = new Map(billLines.map((line) => [line.id, line]));
  return taken.map(({ id, net, tax }) => ({
    ...nameOf(required(byId.get(id), 'the line of the bill')),
    net: money(net, currency),
    tax: money(tax, currency),
    total: money(net + tax, currency),
  }));
}

/** The lines as stored, with the remaining amount of each. */
export function creditableLines({ bill, billLines, lines }: CreditableBill): CreditableLine[] {
  return billLines.map((line, index) => {
    const { net, creditedNet } = required(lines[index], 'the line’s amounts');
    return {
      ...nameOf(line),
      stored: money(net, bill.currency),
      rest: money(net - creditedNet, bill.currency),
    };
  });
}

export type CreditSums = {
  readonly taken: readonly CreditedAmount[];
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  readonly toDue: Money;
  readonly toBalance: Money;
  readonly toPrepaid: Money;
  readonly undone: UndoneTerms;
  /** Its part that was not revenue yet. */
  readonly deferred: readonly DeferredPart[];
};

/**
 * Returns the sums of a credit, and their split between the amount due and the balance; when a bill is
 * voided, the prepaid credit that paid it is restored before the balance.
 */
export function takingOf(
  { bill, deferred }: CreditableBill,
  taken: readonly CreditedAmount[],
  undone: UndoneTerms = noUndoneTerms,
): CreditSums {
  const { net, tax, total } = sumOf(taken);
  const { toDue, toBalance } = splitCredit(total, bill.due.minor);
  const amount = (minor: bigint): Money => money(minor, bill.currency);
  return {
    taken,
    net: amount(net),
    tax: amount(tax),
    total: amount(total),
    toDue: amount(toDue),
    toBalance: amount(toBalance - undone.toPrepaid),
    toPrepaid: amount(undone.toPrepaid),
    undone,
    deferred: takenParts(
      deferred,
      taken.map(({ id, net: ofLine }) => ({ position: Number(id), net: ofLine })),
    ),
  };
}

/** Removes a reversal's deferred part from the schedule; `source` is the credit note, or 'void'. */
export const takeDeferred = (
  ctx: Ctx,
  { bill }: CreditableBill,
  { deferred }: CreditSums,
  source: string,
): Promise<void> =>
  insertParts(ctx, [
    {
      billId: bill.id,
      organizationId: userOf(bill),
      currency: bill.currency,
      source,
      parts: deferred.map((part) => ({ ...part, minor: -part.minor })),
    },
  ]);

/** Returns the ledger entries of a reversal. */
export const entriesOf = (
  { bill, billLines }: CreditableBill,
  { taken, net, tax, toDue, toBalance, undone, deferred }: CreditSums,
) => {
  const trueUps = new Set(billLines.flatMap(({ id, kind }) => (kind === 'true_up' ? id : [])));
  return creditEntries(
    {
      organizationId: bill.organizationId,
      usedBy: bill.usedBy,
      currency: bill.currency,
      net: net.minor,
      trueUp: taken.reduce((sum, each) => (trueUps.has(each.id) ? sum + each.net : sum), 0n),
      tax: tax.minor,
      toDue: toDue.minor,
      toBalance: toBalance.minor,
      deferred: deferredSum(deferred),
    },
    undone,
  );
};

/** Returns the complete preview of a reversal. */
export function previewOf(standing: CreditableBill, taking: CreditSums, dueAfter: Money): CreditPreview {
  const { bill, billLines } = standing;
  const { taken, undone: _undone, deferred: _deferred, ...amounts } = taking;
  return {
    lines: takenLines(billLines, taken, bill.currency),
    currency: bill.currency,
    ...amounts,
    dueBefore: bill.due,
    dueAfter,
    entries: entriesOf(standing, taking).map(({ account, minor }) => ({
      accountKind: account.kind,
      debit: minor > 0n ? money(minor, bill.currency) : null,
      credit: minor < 0n ? money(-minor, bill.currency) : null,
    })),
  };
}

/** Emitted when an amount that a customer had paid returned to their balance. */
export const balanceCredited = domainEvent<{ readonly organizationId: Id<'org'> }>('credits.balanceCredited');

/** Publishes to the topics of an organization's bills. */
export function publishBills(ctx: Ctx, organizationId: Id<'org'>, kind: string): void {
  ctx.publish(`org/${organizationId}/bills`, { kind });
  ctx.publish('system/billing', { kind });
}
