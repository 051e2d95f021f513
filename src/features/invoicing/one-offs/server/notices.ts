// Notices about one-offs: to Admins who can approve one, to its creator about the outcome; and live updates.
import type { Id } from '#kernel/ids.ts';
import { money, moneyText } from '#kernel/money.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToUsers } from '#features/messaging/notifications/server/index.ts';
import { oneOffsPaths } from '../contract.ts';
import type { OneOffRow } from './store.ts';

const paramsOf = (row: OneOffRow) => ({
  name_zhTW: row.name.zhTW,
  name_enUS: row.name.enUS,
  organization: row.organization,
  amount: moneyText(money(row.amountMinor, row.currency)),
  currency: row.currency,
});
const linkTo = (row: OneOffRow): string => `${oneOffsPaths.admin}?charge=${row.id}`;

/** Notifies the Admins who can approve a one-off. */
export async function tellAwaiting(ctx: Ctx, row: OneOffRow, adminIds: readonly Id<'usr'>[]): Promise<void> {
  await postToUsers(ctx, adminIds, {
    kind: 'charge.awaiting_approval',
    type: 'info',
    category: 'billing',
    subject: row.id,
    period: '',
    textKey: 'oneoffs.notice_awaiting_approval',
    params: { ...paramsOf(row), by: person(ctx).name },
    link: linkTo(row),
  });
}

/** Notifies the Admin who created a one-off of another Admin's decision. */
export async function tellOutcome(
  ctx: Ctx,
  row: OneOffRow,
  outcome: 'approved' | 'rejected' | 'withdrawn',
  reason: string,
): Promise<void> {
  const { userId, name } = person(ctx);
  if (userId === row.createdById) return;
  // used as: 'oneoffs.notice_*'
  await postToUsers(ctx, [row.createdById], {
    kind: `charge.${outcome}`,
    type: 'info',
    category: 'billing',
    subject: row.id,
    period: '',
    textKey: `oneoffs.notice_${outcome}`,
    params: { ...paramsOf(row), by: name, reason },
    link: linkTo(row),
  });
}

/** Makes open pages of Admins and of the organization reload. */
export function publishOneOffs(ctx: Ctx, organizationId: string): void {
  ctx.publish('system/billing', { kind: 'one-offs' });
  ctx.publish(`org/${organizationId}/bills`, { kind: 'one-offs' });
}
