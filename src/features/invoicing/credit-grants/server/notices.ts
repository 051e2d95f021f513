// Notices to an organization's members about their credit.
import { moneyText, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToOrganizations, type Notice } from '#features/messaging/notifications/server/index.ts';
import { creditgrantsPaths, type CreditGrant } from '../contract.ts';

type Told = Omit<Extract<Notice, { category: 'billing' }>, 'category' | 'link'>;

async function tell(ctx: Ctx, organizationId: Id<'org'>, told: Told): Promise<void> {
  await postToOrganizations(ctx, [
    { organizationId, notice: { ...told, category: 'billing', link: creditgrantsPaths.own } },
  ]);
}

const nameParams = (name: CreditGrant['name']) => ({ name_zhTW: name.zhTW, name_enUS: name.enUS });
const amountParams = (amount: Money) => ({ amount: moneyText(amount), currency: amount.currency });

/** Credit was given by an Admin. */
export const notifyGranted = (
  ctx: Ctx,
  organizationId: Id<'org'>,
  { id, name, amount }: Pick<CreditGrant, 'id' | 'name' | 'amount'>,
): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.granted',
    type: 'payment',
    subject: id,
    period: '',
    textKey: 'creditgrants.notice_granted',
    params: { ...nameParams(name), ...amountParams(amount) },
  });

/** An Admin withdrew the remainder; paid credit returned to the balance. */
export const notifyWithdrawn = (
  ctx: Ctx,
  { id, organizationId, kind, name }: CreditGrant,
  rest: Money,
  reason: string,
): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.withdrawn',
    type: 'payment',
    subject: id,
    period: '',
    textKey:
      kind === 'paid' ? 'creditgrants.notice_withdrawn_paid' : 'creditgrants.notice_withdrawn_promotional',
    params: { ...nameParams(name), ...amountParams(rest), reason },
  });

/** Auto top-up bought credit. */
export const notifyToppedUp = (
  ctx: Ctx,
  organizationId: Id<'org'>,
  grantId: Id<'cgr'>,
  amount: Money,
): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.topped_up',
    type: 'payment',
    subject: grantId,
    period: '',
    textKey: 'creditgrants.notice_topped_up',
    params: amountParams(amount),
  });

/** Auto top-up could not buy, because the balance is too low or the month's cap is reached; once per day. */
export const notifyTopUpShort = (
  ctx: Ctx,
  organizationId: Id<'org'>,
  amount: Money,
  why: 'balance' | 'cap',
  today: LocalDay,
): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.top_up_short',
    type: 'warning',
    subject: organizationId,
    period: `${today} ${amount.currency}`,
    textKey: why === 'balance' ? 'creditgrants.notice_short_balance' : 'creditgrants.notice_short_cap',
    params: amountParams(amount),
  });

type Named = { readonly id: Id<'svc'>; readonly name: string };

/** Metering of a service stopped because no prepaid credit is left for it; once each time. */
export const notifyUsedUp = (ctx: Ctx, organizationId: Id<'org'>, { id, name }: Named): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.used_up',
    type: 'warning',
    subject: id,
    period: `${organizationId} ${ctx.now.toISOString()}`,
    textKey: 'creditgrants.notice_used_up',
    params: { service: name },
  });

/** Four fifths of the prepaid credit for a service that requires it are used; once per crossing. */
export const notifyNearlyUsed = (ctx: Ctx, organizationId: Id<'org'>, { id, name }: Named): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.low',
    type: 'warning',
    subject: id,
    period: `${organizationId} ${ctx.now.toISOString()}`,
    textKey: 'creditgrants.notice_nearly_used',
    params: { service: name },
  });

/** The remaining credit fell below the organization's threshold; once per crossing. */
export const notifyLow = (
  ctx: Ctx,
  organizationId: Id<'org'>,
  left: Money,
  threshold: Money,
): Promise<void> =>
  tell(ctx, organizationId, {
    kind: 'credit.low',
    type: 'warning',
    subject: organizationId,
    period: `${ctx.now.toISOString()} ${left.currency}`,
    textKey: 'creditgrants.notice_low',
    params: { ...amountParams(left), limit: moneyText(threshold) },
  });
