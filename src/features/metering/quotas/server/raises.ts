// Limit increases: requested by a customer, granted or declined by the provider; both are notified.
import type { In, Out } from '#kernel/contract.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { quotasErrors, quotasPaths, type AdminRaise, type quotas, type Raise } from '../contract.ts';
import { checkStanding } from './check-quota.ts';
import { requireStanding, standings, type Standing } from './standing.ts';
import {
  decideRaise,
  insertRaise,
  pageOfRaises,
  raiseById,
  raisesOf,
  type RaiseRow,
} from './store-raises.ts';

/** The view for the requesting organization: without the names of the provider's staff. */
const ownView = ({
  organizationId: _organizationId,
  organization: _organization,
  ...row
}: RaiseRow): Raise => ({ ...row, decidedBy: row.state === 'withdrawn' ? row.decidedBy : null });

const adminView = (row: RaiseRow, { quota, used }: Standing): AdminRaise => ({
  ...row,
  type: quota.type,
  usedNow: decimalText(used),
  limitNow: quota.type === 'unlimited' ? null : quota.limit,
});

/** Requests a higher limit, and notifies the Admins. */
export async function askRaise(ctx: Ctx, input: In<typeof quotas.askRaise>): Promise<Raise> {
  const organizationId = tenant(ctx);
  const { row, quota, used, isRunning } = await requireStanding(ctx, input.subscriptionId, organizationId);
  if (!isRunning) throw domainError(quotasErrors, 'quotas.not_running');
  assertExceedsLimit(quota, input.limit);
  const id = ctx.newId('rai');
  const limit = decimalText(decimal(input.limit));
  const isNew = await insertRaise(ctx, {
    id,
    subscriptionId: row.id,
    organizationId,
    limit,
    reason: input.reason,
    usedThen: decimalText(used),
    limitThen: quota.type === 'unlimited' ? '0' : quota.limit,
    askedBy: person(ctx).userId,
  });
  if (!isNew) throw domainError(quotasErrors, 'quotas.raise_open');
  const raise = await requireRaise(ctx, id, organizationId);
  await postToAdmins(ctx, {
    kind: 'quota.raise_asked',
    type: 'info',
    category: 'usage',
    subject: id,
    period: '',
    textKey: 'quotas.notice_raise_asked',
    params: { organization: raise.organization, service: raise.serviceName, limit, unit: raise.unit },
    link: quotasPaths.admin,
  });
  changed(ctx, raise);
  return ownView(raise);
}

export async function listRaises(
  ctx: Ctx,
  input: In<typeof quotas.listRaises>,
): Promise<Out<typeof quotas.listRaises>> {
  const { row } = await requireStanding(ctx, input.subscriptionId, tenant(ctx));
  return { items: (await raisesOf(ctx, row.id)).map(ownView) };
}

/** Withdraws an open request. */
export async function withdrawRaise(ctx: Ctx, input: In<typeof quotas.withdrawRaise>): Promise<Raise> {
  const raise = await requireOpenRaise(ctx, input.raiseId, tenant(ctx));
  if (raise.subscriptionId !== input.subscriptionId)
    throw domainError(quotasErrors, 'quotas.raise_not_found');
  await decideRaise(ctx, raise.id, {
    state: 'withdrawn',
    grantedLimit: null,
    answer: '',
    by: person(ctx).userId,
  });
  changed(ctx, raise);
  return ownView(await requireRaise(ctx, raise.id, raise.organizationId));
}

export async function adminListRaises(
  ctx: Ctx,
  input: In<typeof quotas.adminListRaises>,
): Promise<Out<typeof quotas.adminListRaises>> {
  const page = await pageOfRaises(ctx, input);
  const now = await standings(
    ctx,
    page.items.map((row) => row.subscriptionId),
  );
  return {
    ...page,
    items: page.items.map((row) => adminView(row, required(now.get(row.subscriptionId), 'the standing'))),
  };
}

/** Grants a request with the requested or another limit, which applies from now on. */
export async function grantRaise(ctx: Ctx, input: In<typeof quotas.grantRaise>): Promise<AdminRaise> {
  const raise = await requireOpenRaise(ctx, input.raiseId, null);
  const limit = decimalText(decimal(input.limit ?? raise.limit));
  assertExceedsLimit((await requireStanding(ctx, raise.subscriptionId, null)).quota, limit);
  await decideRaise(ctx, raise.id, {
    state: 'granted',
    grantedLimit: limit,
    answer: input.answer ?? '',
    by: person(ctx).userId,
  });
  ctx.audit('quotas.grantRaise', raise.id, {
    subscriptionId: raise.subscriptionId,
    asked: raise.limit,
    granted: limit,
    before: raise.limitThen,
  });
  const after = await requireStanding(ctx, raise.subscriptionId, null);
  // With the new limit, critical usage may be below every threshold, so the quota's status is checked again.
  await checkStanding(ctx, after);
  await answered(ctx, raise, 'granted', { limit, answer: input.answer ?? '' });
  return adminView(await requireRaise(ctx, raise.id, null), after);
}

/** Declines a request with a reason for the customer. */
export async function declineRaise(ctx: Ctx, input: In<typeof quotas.declineRaise>): Promise<AdminRaise> {
  const raise = await requireOpenRaise(ctx, input.raiseId, null);
  await decideRaise(ctx, raise.id, {
    state: 'declined',
    grantedLimit: null,
    answer: input.answer,
    by: person(ctx).userId,
  });
  ctx.audit('quotas.declineRaise', raise.id, {
    subscriptionId: raise.subscriptionId,
    asked: raise.limit,
    answer: input.answer,
  });
  await answered(ctx, raise, 'declined', { limit: raise.limit, answer: input.answer });
  return adminView(
    await requireRaise(ctx, raise.id, null),
    await requireStanding(ctx, raise.subscriptionId, null),
  );
}

async function requireRaise(ctx: Ctx, id: string, organizationId: string | null): Promise<RaiseRow> {
  return required(await raiseById(ctx, id, organizationId), 'the request');
}

/** Returns an open request, locked so that it is answered only once. */
async function requireOpenRaise(ctx: Ctx, id: string, organizationId: string | null): Promise<RaiseRow> {
  const raise = await raiseById(ctx, id, organizationId, true);
  if (!raise) throw domainError(quotasErrors, 'quotas.raise_not_found');
  if (raise.state !== 'open') throw domainError(quotasErrors, 'quotas.raise_closed');
  return raise;
}

function assertExceedsLimit(quota: Standing['quota'], limit: string): void {
  if (quota.type === 'unlimited') throw domainError(quotasErrors, 'quotas.no_limit');
  if (decimal(limit).lte(decimal(quota.limit)))
    throw domainError(quotasErrors, 'quotas.raise_too_low', { limit: quota.limit }, ['limit']);
}

async function answered(
  ctx: Ctx,
  raise: RaiseRow,
  state: 'granted' | 'declined',
  { limit, answer }: { limit: string; answer: string },
): Promise<void> {
  // used as: 'quotas.notice_raise_*'
  await postToOrganizations(ctx, [
    {
      organizationId: raise.organizationId,
      notice: {
        kind: `quota.raise_${state}`,
        type: 'info',
        category: 'usage',
        subject: raise.id,
        period: '',
        textKey: `quotas.notice_raise_${state}`,
        params: { service: raise.serviceName, limit, unit: raise.unit, answer },
        link: '/billing/dashboard',
        otherLinks: ['/dashboard', '/usage/statistics'],
      },
    },
  ]);
  changed(ctx, raise);
}

/** Makes open pages of the customer and of the Admins reload. */
function changed(ctx: Ctx, { organizationId }: RaiseRow): void {
  ctx.publish(`org/${organizationId}/usage`, { kind: 'usage' });
  ctx.publish('system/billing', { kind: 'quotas' });
}
