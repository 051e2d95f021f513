// Bills an organization's month again after its bill was voided: planned like a close, with a new number.
import type { Currency, Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ReadAgain } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { reopenUses } from '#features/invoicing/credit-grants/server/index.ts';
import { ownBillOneOff } from '#features/invoicing/one-offs/server/index.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { userOf, type Bill } from '../contract.ts';
import { billSeries, noTerms, planBills, type BillPlan } from '../rules.ts';
import { planOneOff } from './bill-one-off.ts';
import { billableOf } from './billable.ts';
import { lateLines } from './late-usage.ts';
import { expireEnded } from './expire-credit.ts';
import { asReplacement, withGivenBack } from './given-back.ts';
import { releaseEnded } from './store-deferral.ts';
import {
  assertIssuable,
  billsIssued,
  issuedOf,
  newBill,
  publishIssued,
  type BillFor,
  type IssuedBill,
} from './new-bill.ts';
import { dueDays } from './settings.ts';
import { payersOfMonth } from './paid-by.ts';
import { taxationsOfMonth } from './taxed-by.ts';
import { insertBills, linesOfBill, lockSeries } from './store.ts';
import { consumeTerms, holdInterims, holdTerms, termsOf } from './terms.ts';
import { billedSubscriptions } from './store-corrections.ts';
import {
  holdLateMonths,
  lockLateOf,
  recordLateMonths,
  settleLateMonths,
  type LateMonth,
} from './store-late.ts';

export type ReplacedBill = {
  readonly id: Id<'bil'>;
  readonly kind: Bill['kind'];
  readonly organizationId: Id<'org'>;
  readonly usedBy?: Bill['usedBy'];
  readonly bySubscription?: Bill['bySubscription'];
  readonly month: BillingMonth;
  readonly currency: Currency;
};
type Planned = BillFor & {
  readonly plan: BillPlan | undefined;
  readonly lateMonths: readonly LateMonth[];
};

/**
 * `prepaid`: the prepaid credit that voiding the bill will return; null if it is already void and has
 * returned it.
 */
async function planReplacement(ctx: Ctx, bill: ReplacedBill, prepaid: Money | null): Promise<Planned> {
  const { month, currency } = bill;
  // The payer of the bill also pays its replacement: a change of payers never affects billed months.
  const payer = required(await organizationById(ctx.db, bill.organizationId), 'the bill’s organization');
  const organization = bill.usedBy
    ? required(await organizationById(ctx.db, bill.usedBy.organizationId), 'who used what a bill charges')
    : payer;
  if (bill.kind === 'one_off')
    return { organization, payer, plan: await planOneOffAgain(ctx, payer, bill), lateMonths: [] };
  // What an interim bill charged will be on the next one, or on the month's bill.
  if (bill.kind === 'interim') return { organization, payer, plan: undefined, lateMonths: [] };
  // Only what the same payer pays: the other bills of the month stay in force.
  const payers = await payersOfMonth(ctx, month, [organization]);
  const ownPayerId = payers.ofOrganization(organization).id;
  const isOfBill = ({ subscriptionId }: { readonly subscriptionId: string | null }): boolean => {
    const { id } = payers.ofSubscription(organization, subscriptionId);
    return bill.bySubscription ? id !== ownPayerId && id === payer.id : id === ownPayerId;
  };
  const late = await lateLines(ctx, [organization], month, bill.id);
  const all = (late.lines.get(organization.id) ?? []).filter(isOfBill);
  // A change that a bill in another currency must also settle stays recorded for the next close.
  const nameOf = (of: { readonly subscriptionId: string | null }, forMonth: string | null): string =>
    `${of.subscriptionId} ${forMonth}`;
  const elsewhere = new Set(
    all.filter((line) => line.amount.currency !== currency).map((line) => nameOf(line, line.forMonth)),
  );
  const ownLines = all.filter((line) => !elsewhere.has(nameOf(line, line.forMonth)));
  const used = (await billableOf(ctx, [organization], month)).get(organization.id) ?? [];
  const taxation = (await taxationsOfMonth(ctx, month, [payer]))(payer.id);
  const without = { id: bill.id, mostPaid: prepaid };
  const terms = bill.bySubscription
    ? noTerms
    : (await termsOf(ctx, [organization.id], month, without))(organization.id);
  const billable = used.filter(isOfBill);
  const plan = planBills(billable, month, organization.timeZone, taxation, ownLines, terms).find(
    (each) => each.currency === currency,
  );
  return {
    organization,
    payer,
    plan,
    bySubscription: bill.bySubscription === true,
    lateMonths: late.months.filter((each) => isOfBill(each) && !elsewhere.has(nameOf(each, each.month))),
  };
}

/** Plans the bill of a one-off charge again, unless the charge has been withdrawn. */
async function planOneOffAgain(
  ctx: Ctx,
  payer: Organization,
  bill: ReplacedBill,
): Promise<BillPlan | undefined> {
  const [line] = await linesOfBill(ctx, bill.id, bill.currency);
  const oneOff = line?.term && (await ownBillOneOff(ctx, line.term.id, bill.id));
  return oneOff && planOneOff(ctx, payer, oneOff);
}

/**
 * Returns what a bill's month would be billed now if the bill were void; undefined if there is nothing to
 * bill in its currency. Throws for amounts that no bill can have. `prepaid`: the prepaid credit that voiding
 * it will return; null if it is void.
 */
export async function planReissue(
  ctx: Ctx,
  bill: ReplacedBill,
  prepaid: Money | null,
): Promise<BillPlan | undefined> {
  const { plan } = await planReplacement(ctx, bill, prepaid);
  if (plan) assertIssuable(plan);
  return plan;
}

/**
 * Takes the locks of a close, in its order and before any ledger rows: the month's number series, then the
 * organization's recorded late usage. Later bills, including ones being issued right now, may contain
 * adjustments of this month; it is recorded again, so that the next bill settles anything billed twice.
 */
export async function holdMonth(ctx: Ctx, bill: ReplacedBill): Promise<void> {
  await lockSeries(ctx, billSeries(bill.month));
  await recordLateMonths(
    ctx,
    (await billedSubscriptions(ctx, userOf(bill), bill.month)).map((subscriptionId) => ({
      subscriptionId,
      month: bill.month,
    })),
  );
  await lockLateOf(ctx, userOf(bill));
}

/**
 * Issues the replacement of a void bill; undefined if there is nothing to bill. The caller holds the locks of
 * the void bill and its month.
 */
export async function issueAgain(ctx: Ctx, bill: ReplacedBill): Promise<IssuedBill | undefined> {
  const series = billSeries(bill.month);
  const last = await lockSeries(ctx, series);
  if (bill.kind === 'month') await reopenUses(ctx, bill.id);
  const { plan, lateMonths, ...billFor } = await planReplacement(ctx, bill, null);
  if (!plan) return undefined;
  // Months without a recorded change are already on other bills and add nothing here.
  if (
    !(await holdLateMonths(
      ctx,
      lateMonths.filter((each) => each.version > 0n),
    ))
  )
    throw new ReadAgain('late usage that this bill was to settle is on another bill');
  if (!(await holdTerms(ctx, [plan.applied])))
    throw new ReadAgain('terms that this bill was planned by have changed');
  if (
    bill.kind === 'month' &&
    !bill.bySubscription &&
    !(await holdInterims(ctx, [billFor.organization.id], bill.month, [plan.applied], bill.currency))
  )
    throw new ReadAgain('interim bills that this bill was to take off have changed');
  const planned = newBill(
    ctx,
    billFor,
    bill.month,
    last + 1,
    new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs),
    plan,
    bill.kind,
  );
  const issued = await asReplacement(ctx, required((await withGivenBack(ctx, [planned]))[0], 'the bill'));
  await insertBills(ctx, series, last + 1, [issued]);
  const subscriptionIds = new Set(
    plan.lines.flatMap((line) => (line.forMonth === null ? (line.subscriptionId ?? []) : [])),
  );
  // Releases what it defers for months after an end that is known by now.
  await releaseEnded(ctx, { organizationIds: [userOf(bill)], subscriptionIds: [...subscriptionIds] });
  await consumeTerms(ctx, [issued]);
  await ctx.emit(billsIssued, [issuedOf(issued)]);
  await recordLateMonths(
    ctx,
    [...subscriptionIds].map((subscriptionId) => ({ subscriptionId, month: bill.month })),
  );
  await settleLateMonths(ctx, lateMonths);
  if (bill.kind === 'month') await expireEnded(ctx, [billFor.organization.id]);
  publishIssued(ctx, [issued]);
  return issuedOf(issued);
}
