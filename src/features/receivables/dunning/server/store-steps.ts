// SQL of dunning's records: steps, extensions, holds and releases.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usedBy } from '#features/invoicing/billing/server/index.ts';
import type { DunningHistory, HoldLevel } from '../contract.ts';
import type { DueStep } from '../rules.ts';
import type { StandingBill } from './store.ts';

/** `charged`: the bill's card is charged on this day, or (null) right now. */
export type TakenStep = {
  readonly bill: StandingBill;
  readonly step: DueStep;
  readonly charged?: LocalDay | null | undefined;
};

/** Stores steps; returns those that were not taken before. */
export async function insertSteps(ctx: Ctx, steps: readonly TakenStep[]): Promise<TakenStep[]> {
  const of = <T>(pick: (each: TakenStep) => T): T[] => steps.map(pick);
  const { rows } = await sql<{
    bill_id: string;
    round: number;
    step: string;
  }>`insert into dunning_step (bill_id, round, step, day, action, is_skipped, taken_at, due_minor)
    select bill_id, round, step, day, action, is_skipped, ${ctx.now}, due_minor
    from unnest(${of((each) => each.bill.billId)}::text[], ${of((each) => each.bill.round)}::int[], ${of((each) => each.step.step)}::text[], ${of((each) => each.step.day)}::int[], ${of((each) => each.step.action)}::text[],
      ${of((each) => each.step.isSkipped)}::boolean[], ${of((each) => each.bill.due.minor)}::bigint[]) as s (bill_id, round, step, day, action, is_skipped, due_minor)
    on conflict do nothing returning bill_id, round, step`.execute(ctx.db);
  const fresh = new Set(rows.map((row) => `${row.bill_id} ${row.round} ${row.step}`));
  return steps.filter(({ bill, step }) => fresh.has(`${bill.billId} ${bill.round} ${step.step}`));
}

/** The holds that bills cause, for the organizations that used the services. */
export const holdsOf = (bills: readonly StandingBill[]): { organizationId: string; billId: string }[] =>
  bills.map(({ userId, billId }) => ({ organizationId: userId, billId }));

/** Stores holds with the bill that caused each; a suspension is never lowered to past due. */
export async function putHolds(
  ctx: Ctx,
  holds: readonly { readonly organizationId: string; readonly billId: string }[],
  level: HoldLevel,
): Promise<void> {
  await sql`insert into dunning_hold (organization_id, level, since, bill_id) select organization_id, ${level}, ${ctx.now}, bill_id
    from unnest(${holds.map((each) => each.organizationId)}::text[], ${holds.map((each) => each.billId)}::text[]) as h (organization_id, bill_id) order by organization_id
    on conflict (organization_id) do update set level = excluded.level, since = excluded.since, bill_id = excluded.bill_id where dunning_hold.level = 'past_due' and excluded.level = 'suspended'`.execute(
    ctx.db,
  );
}

export type Hold = {
  readonly organizationId: Id<'org'>;
  readonly level: HoldLevel;
  readonly since: Date;
  readonly billId: Id<'bil'>;
};
const holdColumns = sql`organization_id as "organizationId", level, since, bill_id as "billId"`;

/**
 * Returns the holds of some organizations, locked: a transaction that settles another of their bills waits,
 * and then sees this one's changes.
 */
export async function lockHolds(ctx: Ctx, organizationIds: readonly string[]): Promise<Hold[]> {
  const { rows } =
    await sql<Hold>`select ${holdColumns} from dunning_hold where organization_id = any(${[...organizationIds]}::text[]) order by organization_id for update`.execute(
      ctx.db,
    );
  return rows;
}

/**
 * Returns the holds of the organizations whose usage bills charge, locked, each with the first of those bills
 * for its organization.
 */
export async function lockHoldsOfBills(
  ctx: Ctx,
  billIds: readonly Id<'bil'>[],
): Promise<{ hold: Hold; loweredId: Id<'bil'> }[]> {
  const { rows } = await sql<
    Hold & { loweredId: Id<'bil'> }
  >`with lowered as (select distinct on (${usedBy('b')}) ${usedBy('b')} as owner, b.id from unnest(${[...billIds]}::text[]) with ordinality as given (id, place) join bill b on b.id = given.id order by ${usedBy('b')}, given.place)
    select ${holdColumns}, l.id as "loweredId" from dunning_hold h join lowered l on l.owner = h.organization_id order by h.organization_id for update of h`.execute(
    ctx.db,
  );
  return rows.map(({ loweredId, ...hold }) => ({ hold, loweredId }));
}

/** Returns an organization's hold; `payer`: who pays the bill that caused it, if different. */
export async function holdOf(
  ctx: Ctx,
  organizationId: string,
): Promise<(Hold & { payer: string | null }) | undefined> {
  const { rows } = await sql<
    Hold & { payer: string | null }
  >`select ${holdColumns}, (select o.name from bill b join organization o on o.id = b.organization_id where b.id = bill_id and b.used_by_id = ${organizationId}) as payer from dunning_hold where organization_id = ${organizationId}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Returns the next organizations with a hold, by id. */
export async function heldOrganizationsAfter(ctx: Ctx, after: string, limit: number): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select organization_id as id from dunning_hold where organization_id > ${after} order by 1 limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

export async function countHolds(ctx: Ctx): Promise<{ pastDue: number; suspended: number }> {
  const { rows } = await sql<{
    pastDue: number;
    suspended: number;
  }>`select (count(*) filter (where level = 'past_due'))::int as "pastDue", (count(*) filter (where level = 'suspended'))::int as suspended from dunning_hold`.execute(
    ctx.db,
  );
  return rows[0] ?? { pastDue: 0, suspended: 0 };
}

export type ReleaseCause = 'settled' | 'extended' | 'swept';

/** Deletes holds and records the releases; returns the holds that still existed. */
export async function releaseHolds(
  ctx: Ctx,
  organizationIds: readonly string[],
  cause: ReleaseCause,
  billId: string | null,
  reason: string,
): Promise<Hold[]> {
  const { rows } =
    await sql<Hold>`with gone as (delete from dunning_hold where organization_id = any(${[...organizationIds]}::text[]) returning *),
      released as (insert into dunning_release (organization_id, level, held_since, released_at, cause, bill_id, said) select organization_id, level, since, ${ctx.now}, ${cause}, coalesce(${billId}, bill_id), ${reason} from gone)
    select ${holdColumns} from gone`.execute(ctx.db);
  return rows;
}

/** Stores a bill's later date; the schedule starts a new round. */
export async function insertExtension(
  ctx: Ctx,
  billId: string,
  round: number,
  until: LocalDay,
  reason: string,
  by: { userId: string; name: string },
): Promise<void> {
  await sql`insert into dunning_extension (bill_id, round, until_day, reason, granted_by, granter_name, granted_at) values (${billId}, ${round}, ${until}::date, ${reason}, ${by.userId}, ${by.name}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Returns the steps taken for a bill, newest first. */
export async function historyOf(ctx: Ctx, billId: string): Promise<DunningHistory['items']> {
  const { rows } = await sql<{
    at: Date;
    kind: DunningHistory['items'][number]['kind'];
    minor: bigint | null;
    currency: Currency;
    until: LocalDay | null;
    by: string;
    said: string;
  }>`
    select at, kind, minor, currency, until, by, said from (
      select taken_at as at, case when is_skipped then 'skipped' else action end as kind, due_minor as minor, b.currency, null::text as until, '' as by, '' as said, day as place from dunning_step s join bill b on b.id = s.bill_id where s.bill_id = ${billId}
      union all select granted_at, 'extension', null, '', until_day::text, granter_name, reason, 1000 from dunning_extension where bill_id = ${billId}
      union all select released_at, 'resumed', null, '', null, '', said, 2000 from dunning_release where bill_id = ${billId}) as happened order by at desc, place desc`.execute(
    ctx.db,
  );
  return rows.map(({ minor, currency, ...row }) => ({
    ...row,
    due: minor === null ? null : money(minor, currency),
  }));
}

/** Returns the round that a bill's next extension starts; the caller holds the bill's lock. */
export async function nextRound(ctx: Ctx, billId: string): Promise<number> {
  const { rows } = await sql<{
    round: number;
  }>`select coalesce(max(round), 0) + 1 as round from dunning_extension where bill_id = ${billId}`.execute(
    ctx.db,
  );
  return rows[0]?.round ?? 1;
}
