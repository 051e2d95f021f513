// The minimum monthly spend of organizations: set, end and read it.
import type { In, Out } from '#kernel/contract.ts';
import { money, moneyText, type Currency } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError, type DomainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { monthOf } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Id } from '#kernel/ids.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { oneOffsErrors, type oneOffs } from '../contract.ts';
import type { MinimumSpend, MinimumSpendDetail } from '../contract-minimums.ts';
import {
  lastMonthMistake,
  minimumState,
  newMonthsMistake,
  overlap,
  type MonthMistake,
  type Months,
} from '../rules-minimums.ts';
import { organizationToBill } from './create.ts';
import { publishOneOffs } from './notices.ts';
import {
  endMinimumRow,
  insertMinimum,
  minimumById,
  minimumsIn,
  monthsOfMinimums,
  pageOfMinimums,
  type MinimumRow,
} from './store-minimums.ts';

/**
 * What a minimum spend added to a bill in force, in minor units of its currency; credit notes returned
 * `credited` of it.
 */
export type AddedByMinimum = {
  readonly minimumSpendId: string;
  readonly month: BillingMonth;
  readonly bill: { readonly id: Id<'bil'>; readonly number: string };
  readonly minor: bigint;
  readonly credited: bigint;
};
/** Implemented by billing and passed in by the app. Latest months first. */
export type AddedByMinimums = (
  ctx: Ctx,
  minimums: readonly { readonly id: string; readonly organizationId: string }[],
) => Promise<readonly AddedByMinimum[]>;

function viewOf(
  ctx: Ctx,
  { timeZone, currency, amountMinor, ...row }: MinimumRow,
  added: readonly AddedByMinimum[],
): MinimumSpend {
  const currentMonth = monthOf(ctx.now, timeZone);
  return {
    ...row,
    amount: money(amountMinor, currency),
    state: minimumState(row, currentMonth),
    currentMonth,
    added: money(
      added
        .filter(({ minimumSpendId }) => minimumSpendId === row.id)
        .reduce((sum, { minor, credited }) => sum + minor - credited, 0n),
      currency,
    ),
  };
}

const mistakeError = (ctx: Ctx, { code, field, month }: MonthMistake) =>
  domainError(oneOffsErrors, code, { month: dayFormat(ctx.language).month(month) }, [field]);

function overlapError(ctx: Ctx, currency: Currency, { fromMonth, toMonth }: Months): DomainError {
  const { month } = dayFormat(ctx.language);
  const params = { currency, from: month(fromMonth) };
  return toMonth === null
    ? domainError(oneOffsErrors, 'oneoffs.minimum_overlaps_open', params, ['fromMonth'])
    : domainError(oneOffsErrors, 'oneoffs.minimum_overlaps', { ...params, to: month(toMonth) }, [
        'fromMonth',
      ]);
}

export const listMinimumSpends =
  (addedBy: AddedByMinimums) =>
  async (
    ctx: Ctx,
    input: In<typeof oneOffs.listMinimumSpends>,
  ): Promise<Out<typeof oneOffs.listMinimumSpends>> => {
    const page = await pageOfMinimums(ctx, input);
    const added = await addedBy(ctx, page.items);
    return { ...page, items: page.items.map((row) => viewOf(ctx, row, added)) };
  };

/** Returns one of them, with what it added to bills by month. */
export const getMinimumSpend =
  (addedBy: AddedByMinimums) =>
  async (ctx: Ctx, { minimumSpendId }: In<typeof oneOffs.getMinimumSpend>): Promise<MinimumSpendDetail> => {
    const row = await minimumById(ctx, minimumSpendId);
    if (!row) throw domainError(oneOffsErrors, 'oneoffs.minimum_not_found');
    const added = await addedBy(ctx, [row]);
    return {
      ...viewOf(ctx, row, added),
      months: added.map(({ month, bill, minor, credited }) => ({
        month,
        bill,
        added: money(minor, row.currency),
        credited: money(credited, row.currency),
      })),
    };
  };

/** Sets a minimum for an organization's months, from its current month on or later. */
export async function createMinimumSpend(
  ctx: Ctx,
  input: In<typeof oneOffs.createMinimumSpend>,
): Promise<MinimumSpend> {
  const { amount, toMonth = null } = input;
  const organization = await organizationToBill(ctx, input.organizationId);
  if (amount.minor <= 0n) throw domainError(oneOffsErrors, 'oneoffs.minimum_not_positive', {}, ['amount']);
  const current = monthOf(ctx.now, organization.timeZone);
  const months = { fromMonth: input.fromMonth ?? current, toMonth };
  const mistake = newMonthsMistake(months, current);
  if (mistake) throw mistakeError(ctx, mistake);
  // Two minimums created concurrently must see each other.
  await lockUntilEnd(ctx, `minimum spend ${organization.id} ${amount.currency}`);
  const other = (await monthsOfMinimums(ctx, organization.id, amount.currency)).find((each) =>
    overlap(each, months),
  );
  if (other) throw overlapError(ctx, amount.currency, other);
  const id = ctx.newId('msp');
  await insertMinimum(ctx, {
    id,
    organizationId: organization.id,
    amount,
    ...months,
    createdBy: person(ctx).userId,
  });
  ctx.audit('oneoffs.createMinimumSpend', id, {
    organizationId: organization.id,
    amount: moneyText(amount),
    currency: amount.currency,
    ...months,
  });
  publishOneOffs(ctx, organization.id);
  return viewOf(ctx, required(await minimumById(ctx, id), 'the new minimum'), []);
}

/** Sets the last month of a minimum. */
export const endMinimumSpend =
  (addedBy: AddedByMinimums) =>
  async (
    ctx: Ctx,
    { minimumSpendId, lastMonth }: In<typeof oneOffs.endMinimumSpend>,
  ): Promise<MinimumSpend> => {
    const row = await minimumById(ctx, minimumSpendId, true);
    if (!row) throw domainError(oneOffsErrors, 'oneoffs.minimum_not_found');
    const mistake = lastMonthMistake(row, lastMonth, monthOf(ctx.now, row.timeZone));
    if (mistake) throw mistakeError(ctx, mistake);
    await endMinimumRow(ctx, row.id, lastMonth, person(ctx).userId);
    ctx.audit('oneoffs.endMinimumSpend', row.id, {
      organizationId: row.organizationId,
      before: row.toMonth,
      after: lastMonth,
    });
    publishOneOffs(ctx, row.organizationId);
    return viewOf(ctx, required(await minimumById(ctx, row.id), 'the minimum'), await addedBy(ctx, [row]));
  };

/** Returns the minimum amounts of the caller's organization's current month, by currency. */
export async function ownMinimumSpends(ctx: Ctx): Promise<Out<typeof oneOffs.ownMinimumSpends>> {
  const organizationId = tenant(ctx);
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the own organization');
  return { items: await minimumsIn(ctx, organizationId, monthOf(ctx.now, timeZone)) };
}
