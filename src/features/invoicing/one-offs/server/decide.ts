// Decisions on a one-off before it is billed: approve, reject or withdraw, each once.
import type { In } from '#kernel/contract.ts';
import { money, moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { oneOffsErrors, type OneOffDetail, type oneOffs } from '../contract.ts';
import { refusalOf, stateAfter } from '../rules.ts';
import { oneOffApproved } from './create.ts';
import { publishOneOffs, tellOutcome } from './notices.ts';
import { detailOf } from './read.ts';
import { moveOneOff, oneOffById, otherAdmins, type OneOffRow } from './store.ts';

type Decision = 'approved' | 'rejected' | 'withdrawn';

/** Returns a one-off, locked so that it is decided only once. */
async function requireOneOff(ctx: Ctx, id: string, step: Decision): Promise<OneOffRow> {
  const row = await oneOffById(ctx, id, true);
  if (!row) throw domainError(oneOffsErrors, 'oneoffs.not_found');
  if (!stateAfter(row.state, step))
    throw domainError(oneOffsErrors, refusalOf(row.state, step), { number: row.billNumber ?? '' });
  return row;
}

/** The maximum number of Admins listed in the message. */
const namedAdmins = 3;

/** Throws if the caller created it; the error lists who can approve it instead. */
async function assertByAnother(ctx: Ctx, row: OneOffRow): Promise<void> {
  const { userId } = person(ctx);
  if (row.createdById !== userId) return;
  const names = (await otherAdmins(ctx, userId)).map((each) => each.name);
  if (names.length === 0) throw domainError(oneOffsErrors, 'oneoffs.no_other_admin');
  const admins = names.slice(0, namedAdmins).join(ctx.text('oneoffs.between_names'));
  throw domainError(oneOffsErrors, 'oneoffs.own_approval', { admins });
}

async function decide(
  ctx: Ctx,
  row: OneOffRow,
  step: Decision,
  action: string,
  reason: string,
): Promise<void> {
  const state = required(stateAfter(row.state, step), 'the state after the step');
  await moveOneOff(ctx, row.id, { state, step, by: person(ctx).userId, reason });
  ctx.audit(action, row.id, {
    organizationId: row.organizationId,
    amount: moneyText(money(row.amountMinor, row.currency)),
    currency: row.currency,
    before: row.state,
    ...(reason !== '' && { reason }),
  });
  await tellOutcome(ctx, row, step, reason);
  publishOneOffs(ctx, row.organizationId);
}

const viewAfter = async (ctx: Ctx, id: string): Promise<OneOffDetail> =>
  detailOf(ctx, required(await oneOffById(ctx, id), 'the one-off'));

export async function approveOneOff(
  ctx: Ctx,
  { oneOffId }: In<typeof oneOffs.approveOneOff>,
): Promise<OneOffDetail> {
  const row = await requireOneOff(ctx, oneOffId, 'approved');
  await assertByAnother(ctx, row);
  await decide(ctx, row, 'approved', 'oneoffs.approveOneOff', '');
  if (row.billing === 'own_bill')
    await ctx.emit(oneOffApproved, { id: row.id, organizationId: row.organizationId });
  return viewAfter(ctx, row.id);
}

export async function rejectOneOff(
  ctx: Ctx,
  { oneOffId, reason }: In<typeof oneOffs.rejectOneOff>,
): Promise<OneOffDetail> {
  const row = await requireOneOff(ctx, oneOffId, 'rejected');
  // Its creator withdraws it; only someone else can reject it.
  if (row.createdById === person(ctx).userId) throw domainError(oneOffsErrors, 'oneoffs.own_rejection');
  await decide(ctx, row, 'rejected', 'oneoffs.rejectOneOff', reason);
  return viewAfter(ctx, row.id);
}

/** Any Admin may withdraw a one-off that is not on a bill yet. */
export async function withdrawOneOff(
  ctx: Ctx,
  { oneOffId, reason = '' }: In<typeof oneOffs.withdrawOneOff>,
): Promise<OneOffDetail> {
  const row = await requireOneOff(ctx, oneOffId, 'withdrawn');
  await decide(ctx, row, 'withdrawn', 'oneoffs.withdrawOneOff', reason);
  return viewAfter(ctx, row.id);
}
