// Notices of late fees: charged, waived, and announced in reminders.
import { moneyText, type Money } from '#kernel/money.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { dayFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import { addDays } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { enUS } from '../locales/enUS.ts';
import { isFreeOn } from '../rules.ts';
import { termsOfBill } from './settings.ts';
import { lateRow, versionsOf } from './store.ts';

type Key = keyof typeof enUS & `latefees.notice_${string}`;
type Told = {
  readonly id: Id<'lfe'>;
  readonly organizationId: Id<'org'>;
  /** The bill that was paid late. */
  readonly number: string;
  readonly amount: Money;
};

async function tell(ctx: Ctx, what: 'charged' | 'waived', textKey: Key, told: Told): Promise<void> {
  await postToOrganizations(ctx, [
    {
      organizationId: told.organizationId,
      notice: {
        kind: `latefee.${what}`,
        type: what === 'charged' ? 'payment' : 'info',
        category: 'billing',
        subject: told.id,
        period: '',
        textKey,
        params: { number: told.number, amount: moneyText(told.amount), currency: told.amount.currency },
        link: '/billing/credits',
      },
    },
  ]);
}

/** Notifies the organization of a charge on its next bill. */
export const notifyCharged = (ctx: Ctx, told: Told): Promise<void> =>
  tell(ctx, 'charged', 'latefees.notice_charged', told);
/** Notifies the organization that a charge was waived. */
export const notifyWaived = (ctx: Ctx, told: Told): Promise<void> =>
  tell(ctx, 'waived', 'latefees.notice_waived', told);

/** Makes open pages of bills reload. */
export function publishLateFees(ctx: Ctx, organizationId: Id<'org'>): void {
  ctx.publish(`org/${organizationId}/bills`, { kind: 'late-fees' });
  ctx.publish('system/billing', { kind: 'late-fees' });
}

export type FeeAhead = { readonly fee_zhTW: string; readonly fee_enUS: string };
/**
 * Returns what reminders of unpaid bills say about late fees, in both languages; bills without any are left
 * out.
 */
export async function feesAhead(
  ctx: Ctx,
  billIds: readonly Id<'bil'>[],
): Promise<ReadonlyMap<string, FeeAhead>> {
  const versions = billIds.length === 0 ? [] : await versionsOf(ctx);
  const ahead = new Map<string, FeeAhead>();
  if (versions.every(({ terms }) => terms === null)) return ahead;
  for (const billId of new Set(billIds)) {
    const row = await lateRow(ctx, billId);
    const found = termsOfBill(versions, row);
    if (!found || row.isExempt || isFreeOn(found.off, row.today)) continue;
    const { terms, graceDays } = found;
    const words = (language: Language): string =>
      terms.fixed === null
        ? ctx.text(
            'latefees.ahead_percent',
            {
              date: dayFormat(language).day(addDays(row.dueOn, graceDays + 1)),
              percent: terms.percent ?? '',
            },
            language,
          )
        : ctx.text('latefees.ahead_fixed', { amount: formatMoney(terms.fixed, language) }, language);
    ahead.set(billId, { fee_zhTW: words('zhTW'), fee_enUS: words('enUS') });
  }
  return ahead;
}
