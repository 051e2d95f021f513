// SQL of archived months: which events go into which part, and the records of the parts.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { partitionName } from './store-partitions.ts';

/** Where archived events are stored. */
export type ArchiveKind = 'files' | 'clickhouse';
/**
 * A part of an archive as stored (see usage_archive_part); `lastTime` has all digits that the database keeps.
 */
export type ArchivePart = {
  readonly number: number;
  readonly name: string;
  readonly eventCount: bigint;
  readonly bytes: bigint;
  readonly digest: string;
  readonly firstSubscriptionId: string;
  readonly lastSubscriptionId: string;
  readonly lastTime: string;
  readonly lastSourceId: number;
  readonly lastEventId: string;
};

/** An event as it is archived. Times are texts in UTC with all digits that the database keeps. */
export type ArchivedRow = {
  readonly id: string;
  readonly source: string;
  readonly sourceId: number;
  readonly subscriptionId: string;
  readonly time: string;
  readonly value: string;
  readonly receivedAt: string;
  readonly keyId: string | null;
  readonly type: string | null;
  readonly properties: string | null;
  readonly voidsSourceId: number | null;
  readonly voids: string | null;
};

const textOf = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Returns the next events of a month after the end of a part, in archive order. */
export function nextEvents(
  month: BillingMonth,
  after: ArchivePart | undefined,
  limit: number,
): RawBuilder<ArchivedRow> {
  const isBehind = after
    ? sql`(e.subscription_id, e.time, e.source_id, e.event_id) > (${after.lastSubscriptionId}, ${after.lastTime}::timestamptz, ${after.lastSourceId}, ${after.lastEventId})`
    : sql`true`;
  return sql<ArchivedRow>`select e.event_id as id, s.source, e.source_id as "sourceId", e.subscription_id as "subscriptionId", ${textOf(sql`e.time`)} as time, e.value::text as value, ${textOf(sql`e.received_at`)} as "receivedAt",
      e.key_id as "keyId", e.type, e.properties::text as properties, e.voided_source_id as "voidsSourceId", e.voided_event_id as voids
    from (select * from ${sql.ref(partitionName(month))} e where ${isBehind} order by e.subscription_id, e.time, e.source_id, e.event_id limit ${limit}) as e join usage_source s on s.id = e.source_id
    order by e.subscription_id, e.time, e.source_id, e.event_id`;
}

/** An incomplete archive. */
export type OpenArchive = {
  readonly id: number;
  readonly month: BillingMonth;
  readonly kind: ArchiveKind;
};

/**
 * Returns the incomplete archive of a month: the one started earlier, in the place where it was started, or a
 * new one.
 */
export async function openArchive(ctx: Ctx, month: BillingMonth, kind: ArchiveKind): Promise<OpenArchive> {
  await sql`insert into usage_archive (month, kind, begun_at) values (${month}, ${kind}, ${ctx.now}) on conflict (month) where completed_at is null and moved_from is null do nothing`.execute(
    ctx.db,
  );
  const { rows } =
    await sql<OpenArchive>`select id, month, kind from usage_archive where month = ${month} and completed_at is null and moved_from is null`.execute(
      ctx.db,
    );
  const [row] = rows;
  if (!row) throw new Error(`the archive of ${month} was completed meanwhile`);
  return row;
}

const partColumns = sql`p.number, p.name, p.event_count as "eventCount", p.bytes, p.digest, p.first_subscription_id as "firstSubscriptionId", p.last_subscription_id as "lastSubscriptionId",
  ${textOf(sql`p.last_time`)} as "lastTime", p.last_source_id as "lastSourceId", p.last_event_id as "lastEventId"`;

/** Returns the parts of an archive in order. */
export async function partsOfArchive(db: Kysely<unknown>, archiveId: number): Promise<ArchivePart[]> {
  const { rows } =
    await sql<ArchivePart>`select ${partColumns} from usage_archive_part p where p.archive_id = ${archiveId} order by p.number`.execute(
      db,
    );
  return rows;
}

/** Records a part that was stored and verified. */
export async function addPart(ctx: Ctx, archiveId: number, part: ArchivePart): Promise<void> {
  await sql`insert into usage_archive_part (archive_id, number, name, event_count, bytes, digest, first_subscription_id, last_subscription_id, last_time, last_source_id, last_event_id)
    values (${archiveId}, ${part.number}, ${part.name}, ${part.eventCount}, ${part.bytes}, ${part.digest}, ${part.firstSubscriptionId}, ${part.lastSubscriptionId}, ${part.lastTime}::timestamptz, ${part.lastSourceId}, ${part.lastEventId})`.execute(
    ctx.db,
  );
}

/** Deletes the records of an incomplete archive's parts. */
export async function forgetParts(ctx: Ctx, archiveId: number): Promise<void> {
  await sql`delete from usage_archive_part where archive_id = ${archiveId}`.execute(ctx.db);
}

/** Counts a month's events in the database; locks the month against new events until the transaction ends. */
export async function lockedEventCount(ctx: Ctx, month: BillingMonth): Promise<bigint> {
  // Counting a large month may exceed the statement timeout of requests.
  await sql`set local statement_timeout = 0`.execute(ctx.db);
  await sql`lock table ${sql.ref(partitionName(month))} in access exclusive mode`.execute(ctx.db);
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) as count from ${sql.ref(partitionName(month))}`.execute(ctx.db);
  return rows[0]?.count ?? 0n;
}

/** Records that an archive holds all events of its month. */
export async function completeArchive(ctx: Ctx, archiveId: number): Promise<void> {
  await sql`update usage_archive set completed_at = ${ctx.now} where id = ${archiveId}`.execute(ctx.db);
}

/** The archives of a month in one place, with the parts that may hold events of a subscription, in order. */
export type ArchivedMonth = {
  readonly month: BillingMonth;
  readonly kind: ArchiveKind;
  readonly parts: readonly ArchivePart[];
};

/** Returns the complete archives with events of a subscription in [start, end), latest month first. */
export async function archivesOf(
  ctx: Ctx,
  { subscriptionId, start, end }: { subscriptionId: string; start: Date | null; end: Date | null },
): Promise<ArchivedMonth[]> {
  const monthStart = sql`((a.month || '-01')::timestamp at time zone 'UTC')`;
  const { rows } = await sql<
    ArchivePart & { month: BillingMonth; kind: ArchiveKind }
  >`select a.month, a.kind, ${partColumns} from usage_archive a join usage_archive_part p on p.archive_id = a.id
    where a.completed_at is not null and ${subscriptionId} between p.first_subscription_id and p.last_subscription_id
      and (${end}::timestamptz is null or ${monthStart} < ${end}) and (${start}::timestamptz is null or ${monthStart} + interval '1 month' > ${start})
    order by a.month desc, a.kind, a.id desc, p.number`.execute(ctx.db);
  return [...Map.groupBy(rows, ({ month, kind }) => `${month} ${kind}`).values()].flatMap((parts) => {
    const [first] = parts;
    return first
      ? [
          {
            month: first.month,
            kind: first.kind,
            parts,
          },
        ]
      : [];
  });
}

/** Returns the complete archives in places other than the given one, earliest month first. */
export async function archivesElsewhere(ctx: Ctx, kind: ArchiveKind): Promise<OpenArchive[]> {
  const { rows } =
    await sql<OpenArchive>`select id, month, kind from usage_archive where completed_at is not null and kind <> ${kind} order by month, id`.execute(
      ctx.db,
    );
  return rows;
}

/**
 * Returns the archive that a move copies another archive's events to: the one started earlier, or a new one.
 */
export async function openMove(ctx: Ctx, from: OpenArchive, kind: ArchiveKind): Promise<number> {
  await sql`insert into usage_archive (month, kind, moved_from, begun_at) values (${from.month}, ${kind}, ${from.id}, ${ctx.now}) on conflict (moved_from) do nothing`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    id: number;
  }>`select id from usage_archive where moved_from = ${from.id} and kind = ${kind} and completed_at is null`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw new Error(`the events of ${from.month} are being moved elsewhere`);
  return row.id;
}

/** Replaces an archive with the one its events were moved to; readers see either one or the other. */
export async function completeMove(ctx: Ctx, from: OpenArchive, archiveId: number): Promise<void> {
  await sql`update usage_archive set moved_from = null, completed_at = ${ctx.now} where id = ${archiveId}`.execute(
    ctx.db,
  );
  await sql`delete from usage_archive_part where archive_id = ${from.id}`.execute(ctx.db);
  await sql`delete from usage_archive where id = ${from.id}`.execute(ctx.db);
}

/** Returns the months that have a complete archive. */
export async function archivedMonths(db: Kysely<unknown>): Promise<ReadonlySet<BillingMonth>> {
  const { rows } = await sql<{
    month: BillingMonth;
  }>`select distinct month from usage_archive where completed_at is not null`.execute(db);
  return new Set(rows.map(({ month }) => month));
}

/** Whether any events are archived in a place. */
export async function hasArchives(db: Kysely<unknown>, kind: ArchiveKind): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean;
  }>`select exists (select from usage_archive where kind = ${kind} and completed_at is not null) as has`.execute(
    db,
  );
  return rows[0]?.has ?? false;
}

/** Returns which of some events were canceled. */
export async function takenBack(
  ctx: Ctx,
  events: readonly { readonly sourceId: number; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await sql<{
    name: string;
  }>`select v.source_id || ' ' || v.event_id as name from unnest(${events.map((each) => each.sourceId)}::int[], ${events.map((each) => each.id)}::text[]) as w (source_id, event_id)
    join usage_void v on v.source_id = w.source_id and v.event_id = w.event_id`.execute(ctx.db);
  return new Set(rows.map(({ name }) => name));
}

/** The totals of all archives; `bytes` is the length of their files. */
export type ArchiveTotals = {
  readonly months: number;
  readonly since: BillingMonth;
  readonly until: BillingMonth;
  readonly events: number;
  readonly bytes: number;
};

/** Returns the totals of all archives; null if there are none. */
export async function archiveTotals(db: Kysely<unknown>): Promise<ArchiveTotals | null> {
  const { rows } = await sql<{
    months: bigint;
    since: BillingMonth | null;
    until: BillingMonth | null;
    events: string;
    bytes: string;
  }>`select count(distinct a.month) as months, min(a.month) as since, max(a.month) as until, coalesce(sum(p.event_count), 0)::text as events, coalesce(sum(p.bytes), 0)::text as bytes
    from usage_archive a left join usage_archive_part p on p.archive_id = a.id where a.completed_at is not null`.execute(
    db,
  );
  const [row] = rows;
  if (!row || row.since === null || row.until === null) return null;
  return {
    months: Number(row.months),
    since: row.since,
    until: row.until,
    events: Number(row.events),
    bytes: Number(row.bytes),
  };
}
