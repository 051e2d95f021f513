// Builds the bill to issue from a plan: its number, buyer, and the digest of its content.
import { createHash } from 'node:crypto';
import { decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { isWithinBounds, money, moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import {
  billingErrors,
  userOf,
  type Bill,
  type BillDetail,
  type BillTax,
  type LineTerm,
} from '../contract.ts';
import {
  billNumber,
  billSeries,
  deferredParts,
  deferredSum,
  takenOf,
  type BillPlan,
  type TakenOf,
} from '../rules.ts';
import type { NewBill } from './store.ts';

export type IssuedBill = {
  readonly id: Id<'bil'>;
  readonly number: string;
  readonly kind: Bill['kind'];
  /** The payer. */
  readonly organizationId: Id<'org'>;
  /** The organization that used the services, if different. */
  readonly usedBy: Bill['usedBy'];
  readonly month: BillingMonth;
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** What discounts and promotional credit deducted; both are included in the net amount. */
  readonly discount: Money;
  readonly promotional: Money;
  /**
   * The true-ups of commitments at the end of their periods: included in the net amount, before promotional
   * credit.
   */
  readonly trueUp: Money;
  /** What prepaid credit pays when the bill is issued, grant by grant. */
  readonly prepaid: readonly TakenOf<Id<'cgr'>>[];
  /** The part of the net amount that is for later months and not revenue yet. */
  readonly deferred: Money;
  readonly dueAt: Date;
};
/** Emitted for a chunk of issued bills, in the transaction that issued them. */
export const billsIssued = domainEvent<readonly IssuedBill[]>('billing.billsIssued');

/** A bill as features that book or announce it see it. */
export function issuedOf(bill: NewBill): IssuedBill {
  const amount = (minor: bigint): Money => money(minor, bill.currency);
  return {
    id: bill.id,
    number: bill.number,
    kind: bill.kind,
    organizationId: bill.organizationId,
    usedBy: bill.usedBy,
    month: bill.month,
    net: amount(bill.netMinor),
    tax: amount(bill.taxMinor),
    total: amount(bill.totalMinor),
    discount: amount(bill.discountMinor),
    promotional: amount(bill.promotionalMinor),
    trueUp: amount(bill.trueUpMinor),
    prepaid: bill.applied.prepaid,
    deferred: amount(deferredSum(bill.deferred)),
    dueAt: bill.dueAt,
  };
}

/**
 * The buyer of a bill. Missing details are left out, so that bills issued before these fields existed keep
 * their form.
 */
function buyerOf(organization: Organization): BillDetail['buyer'] {
  const {
    name,
    taxId,
    taxStatus,
    billingAddress: address,
    billingEmail: email,
    purchaseOrder,
    billingReference: reference,
    country,
    vatId,
    electronicAddress,
  } = organization;
  return {
    name,
    taxId,
    address,
    email,
    ...(purchaseOrder !== '' && { purchaseOrder }),
    ...(reference !== '' && { reference }),
    // In the order in which the database stores them.
    ...(vatId !== '' && { vatId }),
    ...(country !== '' && { country }),
    ...(taxStatus !== 'standard' && { taxStatus }),
    ...(electronicAddress !== '' && { electronicAddress }),
  };
}

/**
 * Throws if an organization's figures exceed what a bill, its payments and the ledger can hold; a close then
 * records the organization as failed.
 */
export function assertIssuable({ net, tax, total, lines }: BillPlan): void {
  if (![net, tax, total, ...lines.map((line) => line.amount)].every(isWithinBounds))
    throw domainError(billingErrors, 'billing.amount_too_large');
}

/** The content of a line's term in a canonical form. */
function termContent({ id, name, reduction, percent, period, shares = [] }: LineTerm): unknown[] {
  return [
    id,
    name.zhTW,
    name.enUS,
    ...(reduction === undefined
      ? []
      : reduction.kind === 'percent'
        ? [['percent', reduction.percent, reduction.maximum && moneyText(reduction.maximum)]]
        : [['fixed', moneyText(reduction.amount)]]),
    ...(percent === undefined ? [] : [['rate', percent]]),
    ...(period === undefined ? [] : [['period', period.from, period.to]]),
    shares.map(({ lineId, amount }) => [lineId, moneyText(amount)]),
  ];
}

/** The content of a tax in a canonical form. */
const taxContent = ({ category, rate, net, tax, lines, reason }: BillTax): unknown[] => [
  category,
  rate,
  moneyText(net),
  moneyText(tax),
  lines,
  ...(reason ? [[reason.code ?? '', reason.name.zhTW, reason.name.enUS]] : []),
];

/** The organization that used the services, and the one that pays. */
export type BillFor = {
  readonly organization: Organization;
  /** The organization itself if no one else pays. */
  readonly payer: Organization;
  /** The payer pays for single subscriptions only: without the organization's terms. */
  readonly bySubscription?: boolean;
};

/**
 * Builds a bill from a plan with the next number of its month's series; the caller holds the lock on the
 * series.
 */
export function newBill(
  ctx: Ctx,
  { organization, payer, bySubscription = false }: BillFor,
  month: BillingMonth,
  sequence: number,
  dueAt: Date,
  plan: BillPlan,
  kind: Bill['kind'] = 'month',
): NewBill {
  assertIssuable(plan);
  const period = monthPeriod(month, organization.timeZone);
  const series = billSeries(month);
  const number = billNumber(series, sequence);
  const buyer = buyerOf(payer);
  const usedBy =
    payer.id === organization.id
      ? undefined
      : { organizationId: organization.id, organization: organization.name };
  // The bill's content in a canonical form; its digest later proves that nothing was changed.
  const content = JSON.stringify([
    number,
    payer.id,
    month,
    plan.currency,
    buyer,
    plan.taxRate,
    moneyText(plan.net),
    moneyText(plan.tax),
    moneyText(plan.total),
    plan.lines.map((line) => [
      line.kind,
      line.subscriptionId,
      line.serviceName,
      line.priceVersionId,
      line.quantity,
      line.unit,
      line.unitPrice,
      decimalText(line.exact),
      moneyText(line.amount),
      ...(line.forMonth === null ? [] : [line.forMonth]),
      ...(line.charge ? [[line.charge.key, line.charge.name.zhTW, line.charge.name.enUS]] : []),
      ...(line.term ? [termContent(line.term)] : []),
    ]),
    ...(kind === 'month' ? [] : [kind]),
    ...(plan.taxes ? [plan.taxes.map(taxContent)] : []),
    ...(usedBy ? [['used by', usedBy.organizationId, usedBy.organization]] : []),
  ]);
  return {
    id: ctx.newId('bil'),
    kind,
    organizationId: payer.id,
    usedBy,
    bySubscription,
    month,
    currency: plan.currency,
    series,
    sequence,
    number,
    timeZone: organization.timeZone,
    periodStart: period.start,
    periodEnd: period.end,
    dueAt,
    netMinor: plan.net.minor,
    taxRate: plan.taxRate,
    taxMinor: plan.tax.minor,
    taxes: plan.taxes ?? null,
    totalMinor: plan.total.minor,
    discountMinor: takenOf(plan.currency, plan.applied.discounts).minor,
    promotionalMinor: takenOf(plan.currency, plan.applied.promotional).minor,
    trueUpMinor: plan.applied.commitments.reduce((sum, { trueUp }) => sum + trueUp.minor, 0n),
    buyer,
    contentHash: createHash('sha256').update(content).digest('hex'),
    lines: plan.lines,
    deferred: deferredParts(month, plan.lines),
    applied: plan.applied,
  };
}

/** Makes open pages of the payers and of the organizations that used the services reload. */
export function publishIssued(ctx: Ctx, bills: readonly NewBill[]): void {
  for (const bill of bills)
    for (const id of new Set([bill.organizationId, userOf(bill)]))
      ctx.publish(`org/${id}/bills`, { kind: 'issued' });
}
