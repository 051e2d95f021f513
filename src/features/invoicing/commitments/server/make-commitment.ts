// Creates, renames and ends commitments.
import type { In } from '#kernel/contract.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { scopeOf, wholeScope } from '#features/invoicing/credit-grants/rules.ts';
import { assertCharges, knownServices } from '#features/invoicing/credit-grants/server/index.ts';
import { commitmentsErrors, type CommitmentDetail, type commitments } from '../contract.ts';
import { endMistake, periodCount, periodMonths, termsMistakes, type CommitmentMistake } from '../rules.ts';
import { estimate, publishCommitments, type BillsAhead } from './outlooks.ts';
import { changedDetail, lastBilledOf } from './read.ts';
import {
  commitmentById,
  insertCommitment,
  markEnded,
  renameCommitment,
  type CommitmentRow,
} from './store.ts';
import { usesOf } from './store-uses.ts';

/** Creates an Admin's commitment with an organization. Throws for each invalid field. */
export const makeCommitment =
  (bills: BillsAhead) =>
  async (ctx: Ctx, input: In<typeof commitments.makeCommitment>): Promise<CommitmentDetail> => {
    const { name, months, period, amounts, note = '' } = input;
    const { committedPercent = '100', overagePercent = '100' } = input;
    const scope = scopeOf(input.scope ?? wholeScope);
    const organization = await organizationById(ctx.db, input.organizationId);
    if (!organization)
      throw domainError(identityErrors, 'identity.organization_not_found', {}, ['organizationId']);
    const current = monthOf(ctx.now, organization.timeZone);
    const startsOn = input.startsOn ?? current;
    const mistakes = termsMistakes(
      { startsOn, months, period, amounts, committedPercent, overagePercent },
      current,
    );
    if (mistakes.length > 0) throw new ValidationError(worded(ctx, mistakes));
    if (startsOn < current && (await bills.closedFor(ctx, [organization.id], startsOn)).size > 0)
      throw new ValidationError(
        worded(ctx, [
          { field: 'startsOn', code: 'commitments.starts_too_early', params: { month: current } },
        ]),
      );
    await assertServices(ctx, scope.services);
    await assertCharges(ctx, scope);
    const count = required(periodCount({ period, months }), 'whole periods');
    const first = required(amounts[0], 'an amount');
    const perPeriod = amounts.length === 1 ? Array.from({ length: count }, () => first) : amounts;
    const id = ctx.newId('cmt');
    const by = person(ctx);
    await insertCommitment(ctx, {
      id,
      organizationId: organization.id,
      name,
      currency: first.currency,
      scope,
      terms: { startsOn, months, period, amounts: perPeriod.map(({ minor }) => minor), ended: null },
      periodMonths: periodMonths({ period, months }),
      lastMonth: addMonths(startsOn, months - 1),
      committedPercent,
      overagePercent,
      note,
      by: { id: by.userId, name: by.name },
    });
    ctx.audit('commitments.makeCommitment', id, {
      organizationId: organization.id,
      name,
      startsOn,
      months,
      period,
      currency: first.currency,
      amounts: amounts.map(moneyText),
      committedPercent,
      overagePercent,
    });
    await estimate(ctx, bills, [organization.id]);
    publishCommitments(ctx, [organization.id]);
    return changedDetail(ctx, bills, id);
  };

/** Formats the months in errors for people. */
const worded = (ctx: Ctx, mistakes: readonly CommitmentMistake[]): CommitmentMistake[] =>
  mistakes.map((mistake) =>
    typeof mistake.params?.['month'] === 'string'
      ? {
          ...mistake,
          params: { ...mistake.params, month: dayFormat(ctx.language).month(mistake.params['month']) },
        }
      : mistake,
  );

async function assertServices(ctx: Ctx, services: readonly string[] | null): Promise<void> {
  if (services === null) return;
  const known = await knownServices(ctx, services);
  const mistakes = services.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `scope.services.${index}`, code: 'commitments.service_unknown' as const }],
  );
  if (mistakes.length > 0) throw new ValidationError(mistakes);
}

async function requireLocked(ctx: Ctx, commitmentId: string): Promise<CommitmentRow> {
  const row = await commitmentById(ctx, commitmentId, true);
  if (!row) throw domainError(commitmentsErrors, 'commitments.not_found');
  return row;
}

export const updateCommitment =
  (bills: BillsAhead) =>
  async (ctx: Ctx, input: In<typeof commitments.updateCommitment>): Promise<CommitmentDetail> => {
    const before = await requireLocked(ctx, input.commitmentId);
    const { name = before.name, note = before.note } = input;
    await renameCommitment(ctx, before.id, { name, note });
    ctx.audit('commitments.updateCommitment', before.id, {
      before: { name: before.name, note: before.note },
      after: { name, note },
    });
    publishCommitments(ctx, [before.organizationId]);
    return changedDetail(ctx, bills, before.id);
  };

/** Ends a commitment early. Throws if it has ended, or if that month is billed, over, or the agreed end. */
export const endCommitment =
  (bills: BillsAhead) =>
  async (ctx: Ctx, input: In<typeof commitments.endCommitment>): Promise<CommitmentDetail> => {
    const { lastMonth, settlement, reason } = input;
    const row = await requireLocked(ctx, input.commitmentId);
    const mistake = endMistake(
      {
        terms: row.terms,
        current: monthOf(ctx.now, row.timeZone),
        lastBilled: lastBilledOf(await usesOf(ctx, row.id, row.currency)),
      },
      { lastMonth, settlement },
    );
    if (mistake?.code === 'commitments.has_ended') throw domainError(commitmentsErrors, mistake.code);
    if (mistake) throw new ValidationError(worded(ctx, [mistake]));
    const by = person(ctx);
    await markEnded(ctx, row.id, { lastMonth, settlement, reason, by: { id: by.userId, name: by.name } });
    ctx.audit('commitments.endCommitment', row.id, {
      organizationId: row.organizationId,
      lastMonth,
      settlement,
      reason,
    });
    await estimate(ctx, bills, [row.organizationId]);
    publishCommitments(ctx, [row.organizationId]);
    return changedDetail(ctx, bills, row.id);
  };
