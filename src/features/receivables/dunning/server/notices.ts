// Dunning's notices, each sent once; the notifications feature delivers them by each user's channels.
import { moneyText } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { ConsolidatedBill } from '#features/invoicing/billing/contract-consolidated.ts';
import { consolidatedOfBills } from '#features/invoicing/billing/server/index.ts';
import { feesAhead } from '#features/receivables/late-fees/server/index.ts';
import type { enUS } from '../locales/enUS.ts';
import type { Hold, TakenStep } from './store-steps.ts';

type Key = keyof typeof enUS;
const linkOf = (month: string): string => `/billing/management?month=${month}`;

const keyOf = ({ bill, step, charged }: TakenStep): Key => {
  const isForOther = bill.usedByName !== null;
  if (step.action === 'past_due')
    return isForOther ? 'dunning.notice_past_due_for' : 'dunning.notice_past_due';
  if (step.action === 'suspend')
    return isForOther ? 'dunning.notice_suspended_for' : 'dunning.notice_suspended';
  // No action is needed for a bill that its card is about to pay.
  if (charged !== undefined)
    return charged === null ? 'dunning.notice_charging' : 'dunning.notice_charged_on';
  return bill.elapsed < 0
    ? 'dunning.notice_due_soon'
    : bill.elapsed === 0
      ? 'dunning.notice_due_today'
      : 'dunning.notice_overdue';
};

const withFees = {
  'dunning.notice_due_soon': 'dunning.notice_due_soon_fee',
  'dunning.notice_due_today': 'dunning.notice_due_today_fee',
  'dunning.notice_overdue': 'dunning.notice_overdue_fee',
  'dunning.notice_past_due': 'dunning.notice_past_due_fee',
  'dunning.notice_suspended': 'dunning.notice_suspended_fee',
  'dunning.notice_past_due_for': 'dunning.notice_past_due_for_fee',
  'dunning.notice_suspended_for': 'dunning.notice_suspended_for_fee',
} as const satisfies Partial<Record<Key, Key>>;
const hasFeeText = (key: Key): key is keyof typeof withFees => Object.hasOwn(withFees, key);
/** The text that also states the cost of paying late. */
const withFee = (key: Key, isCharged: boolean): Key => (isCharged && hasFeeText(key) ? withFees[key] : key);

/**
 * Sends the notices of newly taken steps. Called only in the transaction that took the steps, so each notice
 * is sent once.
 */
export async function notifySteps(ctx: Ctx, taken: readonly TakenStep[]): Promise<void> {
  const ahead = await feesAhead(
    ctx,
    taken
      .filter(({ step, charged }) => !step.isSkipped && charged === undefined)
      .map(({ bill }) => bill.billId),
  );
  const told = taken.filter(({ step }) => !step.isSkipped);
  const { apart, together } = await byConsolidated(ctx, told);
  await remindTogether(ctx, together);
  const notices = apart.map((each) => {
    const { bill, step } = each;
    return {
      each,
      textKey: withFee(keyOf(each), ahead.has(bill.billId)),
      params: {
        number: bill.number,
        amount: moneyText(bill.due),
        currency: bill.due.currency,
        date: bill.base,
        ...(bill.usedByName !== null && { organization: bill.usedByName }),
        ...(each.charged && { day: each.charged }),
        ...ahead.get(bill.billId),
      },
      period: `${bill.round} ${step.step}`,
    };
  });
  await postToOrganizations(
    ctx,
    notices.map(({ each: { bill, step }, textKey, params, period }) => ({
      organizationId: bill.organizationId,
      notice: {
        kind:
          step.action === 'reminder'
            ? bill.elapsed < 0
              ? 'bill.due_soon'
              : 'bill.overdue'
            : `dunning.${step.action}`,
        type: step.action === 'reminder' ? 'payment' : 'warning',
        category: 'billing',
        subject: bill.billId,
        period,
        textKey,
        params,
        link: linkOf(bill.month),
      },
    })),
  );
  await notifyUsers(ctx, taken);
}

type Together = {
  readonly each: TakenStep;
  readonly bill: Pick<ConsolidatedBill, 'id' | 'number' | 'month' | 'due'>;
};
/**
 * Merges reminders of bills on one consolidated bill into one reminder of it. Restrictions are still
 * announced bill by bill, because they state whose services are affected. If the same step of other bills
 * follows in another transaction, it has the same subject and period.
 */
async function byConsolidated(
  ctx: Ctx,
  taken: readonly TakenStep[],
): Promise<{ apart: TakenStep[]; together: Together[] }> {
  const reminders = taken.filter(({ step, charged }) => step.action === 'reminder' && charged === undefined);
  const of = await consolidatedOfBills(
    ctx,
    reminders.map(({ bill }) => bill.billId),
  );
  const first = new Map<string, Together>();
  for (const each of reminders) {
    const bill = of.get(each.bill.billId);
    if (bill) first.set(`${bill.id} ${each.bill.round} ${each.step.step}`, { each, bill });
  }
  return {
    apart: taken.filter((each) => !reminders.includes(each) || !of.has(each.bill.billId)),
    together: [...first.values()],
  };
}

/** Reminds of consolidated bills, with the total due of each. */
async function remindTogether(ctx: Ctx, together: readonly Together[]): Promise<void> {
  await postToOrganizations(
    ctx,
    together.map(({ each, bill }) => ({
      organizationId: each.bill.organizationId,
      notice: {
        kind: each.bill.elapsed < 0 ? ('bill.due_soon' as const) : ('bill.overdue' as const),
        type: 'payment',
        category: 'billing',
        subject: bill.id,
        period: `${each.bill.round} ${each.step.step}`,
        textKey: keyOf(each),
        params: {
          number: bill.number,
          amount: moneyText(bill.due),
          currency: bill.due.currency,
          date: each.bill.base,
        },
        link: linkOf(bill.month),
      },
    })),
  );
}

/**
 * Notifies organizations that their services are restricted because another one that pays for them has not
 * paid, without disclosing the amount or the bill.
 */
async function notifyUsers(ctx: Ctx, taken: readonly TakenStep[]): Promise<void> {
  await postToOrganizations(
    ctx,
    taken.flatMap(({ bill, step }) =>
      bill.usedByName === null || step.action === 'reminder'
        ? []
        : {
            organizationId: bill.userId,
            notice: {
              kind: `dunning.${step.action}` as const,
              type: 'warning' as const,
              category: 'billing' as const,
              subject: bill.billId,
              period: `${bill.round} ${step.step}`,
              textKey:
                step.action === 'suspend'
                  ? 'dunning.notice_suspended_payer'
                  : 'dunning.notice_past_due_payer',
              params: { payer: bill.organization },
              link: '/billing/management',
            },
          },
    ),
  );
}

/** Notifies organizations that their restrictions ended. */
export async function notifyReleased(ctx: Ctx, holds: readonly Hold[]): Promise<void> {
  await postToOrganizations(
    ctx,
    holds.map(({ organizationId, level, since }) => ({
      organizationId,
      notice: {
        kind: 'dunning.resumed',
        type: 'info',
        category: 'billing',
        subject: organizationId,
        period: since.toISOString(),
        textKey: level === 'suspended' ? 'dunning.notice_resumed' : 'dunning.notice_settled',
        params: {},
        link: '/billing/management',
      },
    })),
  );
}

/** Makes open pages reload the dunning state of these organizations. */
export function publishDunning(ctx: Ctx, organizationIds: Iterable<string>): void {
  for (const organizationId of new Set(organizationIds))
    ctx.publish(`org/${organizationId}/bills`, { kind: 'dunning' });
  ctx.publish('system/billing', { kind: 'dunning' });
}
