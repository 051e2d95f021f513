// A planned bill as it is issued: its number, whom it is for, and the digest of all it says.
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
  /** Whom it is for. */
  readonly organizationId: Id<'org'>;
  /** Who used what it charges, where that is another organization. */
  readonly usedBy: Bill['usedBy'];
  readonly month: BillingMonth;
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** What discounts took off, and what promotional credit gave: parts of the net amount. */
  readonly discount: Money;
  readonly promotional: Money;
  /** What was missing of commitments at the end of their periods: a part of the net amount, before promotional credit. */
  readonly trueUp: Money;
  /** What prepaid credit pays as the bill is issued, grant by grant. */
  readonly prepaid: readonly TakenOf<Id<'cgr'>>[];
  /** What of the net amount is for later months, and no revenue yet. */
  readonly deferred: Money;
  readonly dueAt: Date;
};
/** Bills were issued: a chunk of them, in the transaction that issued them. */
export const billsIssued = domainEvent<readonly IssuedBill[]>('billing.billsIssued');

/** A bill as those who book it and tell of it see it. */
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

/** Whom a bill is for. What was not given is left out, so that bills of before there was such a thing keep their form. */
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
    // In the order in which the database keeps them.
    ...(vatId !== '' && { vatId }),
    ...(country !== '' && { country }),
    ...(taxStatus !== 'standard' && { taxStatus }),
    ...(electronicAddress !== '' && { electronicAddress }),
  };
}

/** Throws when an organization's figures are beyond what a bill, its payments and the ledger can hold; a close then records it as failed. */
export function assertIssuable({ net, tax, total, lines }: BillPlan): void {
  if (![net, tax, total, ...lines.map((line) => line.amount)].every(isWithinBounds))
    throw domainError(billingErrors, 'billing.amount_too_large');
}

/** What a line says of its term, in a fixed form. */
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

/** What a bill says of a tax, in a fixed form. */
const taxContent = ({ category, rate, net, tax, lines, reason }: BillTax): unknown[] => [
  category,
  rate,
  moneyText(net),
  moneyText(tax),
  lines,
  ...(reason ? [[reason.code ?? '', reason.name.zhTW, reason.name.enUS]] : []),
];

/** Whom a bill is for: the organization that used what it charges, and who pays for it. */
export type BillFor = {
  readonly organization: Organization;
  /** The organization itself where nobody else pays for it. */
  readonly payer: Organization;
  /** It pays for single subscriptions alone: without what was agreed with the organization. */
  readonly bySubscription?: boolean;
};

/** Makes a bill of a plan, with the next number of its month's series; the caller holds the series' lock. */
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
  // What a bill says, in a fixed form: its digest shows later that nothing of it was changed.
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

/** Makes the open pages of those who pay bills, and of those who used what they charge, load again. */
export function publishIssued(ctx: Ctx, bills: readonly NewBill[]): void {
  for (const bill of bills)
    for (const id of new Set([bill.organizationId, userOf(bill)]))
      ctx.publish(`org/${id}/bills`, { kind: 'issued' });
}
