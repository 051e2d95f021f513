// SQL of event streams.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  type SearchInput,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Credentials, EventStream, Failure, FailureCode, Options } from '../contract.ts';
import { minuteOf } from '../rules.ts';
import type { Positions } from './reader.ts';

export type StreamRow = {
  id: Id<'est'>;
  name: string;
  address: string;
  authority: string;
  options: Options;
  credentialKind: Credentials['kind'];
  credentials: Buffer | null;
  format: EventStream['format'];
  expression: string;
  start: EventStream['start'];
  isPaused: boolean;
  /** Whether a server process with a valid lease is connected to the broker. */
  isConnected: boolean;
  lag: bigint | null;
  messages: bigint;
  events: bigint;
  duplicates: bigint;
  rateMinute: Date | null;
  rateCount: bigint;
  rateBefore: bigint;
  lastMessageAt: Date | null;
  failingSince: Date | null;
  failures: number;
  failureCode: FailureCode | null;
  failureDetail: string | null;
  nextTryAt: Date;
  version: number;
  createdAt: Date;
};
/** With the number of stored rejected messages. */
export type CountedRow = StreamRow & { rejected: bigint };

/**
 * How long a process holds a stream after it last renewed the lease, in seconds. Leases use the database's
 * clock, which is the same for all processes.
 */
const leaseSeconds = 6;
const leased = sql`coalesce(s.held_until > clock_timestamp(), false)`;
const columns = sql<StreamRow>`s.id, s.name, s.address, s.authority, s.options, s.credential_kind as "credentialKind", s.credentials, s.format, s.expression, s.start, s.is_paused as "isPaused", s.is_connected and ${leased} as "isConnected",
  s.lag, s.messages, s.events, s.duplicates, s.rate_minute as "rateMinute", s.rate_count as "rateCount", s.rate_before as "rateBefore", s.last_message_at as "lastMessageAt",
  s.failing_since as "failingSince", s.failures, s.failure_code as "failureCode", s.failure_detail as "failureDetail", s.next_try_at as "nextTryAt", s.version, s.created_at as "createdAt"`;
const counted = sql<CountedRow>`${columns}, (select count(*) from event_stream_rejected r where r.stream_id = s.id) as rejected`;

const order: ListOrder = {
  by: {
    name: { expression: sql`s.name`, cast: 'text' },
    createdAt: { expression: sql`s.created_at`, cast: 'timestamptz' },
  },
  usual: 'name',
  id: sql`s.id`,
};

/** Returns one page of event streams. */
export const pageOfStreams = (ctx: Ctx, input: SearchInput): Promise<Page<CountedRow>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: counted,
      from: sql`event_stream s`,
      where: allOf(input.q && sql`(s.name || E'\n' || s.address) ilike ${containsPattern(input.q)}`),
      order,
    },
    rowItself,
  );

/** Returns one event stream with its figures. */
export async function streamById(ctx: Ctx, id: string): Promise<CountedRow | undefined> {
  const { rows } = await sql<CountedRow>`select ${counted} from event_stream s where s.id = ${id}`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Returns one event stream, locked: until the transaction ends, no one else can change it, take it over or
 * record its events.
 */
export async function lockStream(ctx: Ctx, id: string): Promise<StreamRow | undefined> {
  const { rows } =
    await sql<StreamRow>`select ${columns} from event_stream s where s.id = ${id} for update`.execute(ctx.db);
  return rows[0];
}

export const countStreams = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`event_stream`, where: sql`true` });

export type StreamSettings = Pick<
  StreamRow,
  | 'name'
  | 'address'
  | 'authority'
  | 'options'
  | 'credentialKind'
  | 'credentials'
  | 'format'
  | 'expression'
  | 'start'
>;

export async function insertStream(ctx: Ctx, id: Id<'est'>, made: StreamSettings): Promise<void> {
  await sql`insert into event_stream (id, name, address, authority, options, credential_kind, credentials, format, expression, start, next_try_at, created_at)
    values (${id}, ${made.name}, ${made.address}, ${made.authority}, ${JSON.stringify(made.options)}::jsonb, ${made.credentialKind}, ${made.credentials}, ${made.format}, ${made.expression}, ${made.start}, ${ctx.now}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Stores an Admin's settings. The process that reads it restarts with the new settings. */
export async function changeStream(ctx: Ctx, id: string, to: StreamSettings): Promise<void> {
  await sql`update event_stream set name = ${to.name}, address = ${to.address}, authority = ${to.authority}, options = ${JSON.stringify(to.options)}::jsonb, credential_kind = ${to.credentialKind}, credentials = ${to.credentials}, format = ${to.format},
    expression = ${to.expression}, start = ${to.start}, next_try_at = ${ctx.now}, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

export async function setPaused(ctx: Ctx, id: string, isPaused: boolean): Promise<void> {
  await sql`update event_stream set is_paused = ${isPaused}, next_try_at = ${ctx.now}, failing_since = null, failures = 0, failure_code = null, failure_detail = null, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

/** Makes a failed stream retry at once. */
export async function tryAtOnce(ctx: Ctx, id: string): Promise<void> {
  await sql`update event_stream set next_try_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
}

export async function deleteStreamRow(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from event_stream where id = ${id}`.execute(ctx.db);
}

/** Claims streams that no process reads; `holder` must renew the lease. */
export async function claimStreams(ctx: Ctx, holder: string): Promise<Id<'est'>[]> {
  const { rows } = await sql<{
    id: Id<'est'>;
  }>`update event_stream set holder = ${holder}, is_connected = false, held_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where id in
    (select s.id from event_stream s where not s.is_paused and s.next_try_at <= ${ctx.now} and not ${leased} limit 100 for update skip locked) returning id`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** Renews the lease; false if another process took the stream, or it was paused, changed or deleted. */
export async function renewLease(
  ctx: Ctx,
  id: string,
  { holder, version }: { readonly holder: string; readonly version: number },
): Promise<boolean> {
  const { rows } =
    await sql`update event_stream set held_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where id = ${id} and holder = ${holder} and version = ${version} and not is_paused returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Releases the stream, so that another process need not wait until the lease expires. */
export async function endLease(ctx: Ctx, id: string, holder: string): Promise<void> {
  await sql`update event_stream set held_until = null, is_connected = false where id = ${id} and holder = ${holder}`.execute(
    ctx.db,
  );
}

/** Records that the stream could not be read: since when, why, and when it is retried. */
export async function recordFailure(
  ctx: Ctx,
  id: string,
  holder: string,
  failure: Failure,
  nextTryAt: Date,
): Promise<void> {
  await sql`update event_stream set failing_since = coalesce(failing_since, ${ctx.now}), failures = failures + 1, failure_code = ${failure.code}, failure_detail = ${failure.detail}, next_try_at = ${nextTryAt}, held_until = null where id = ${id} and holder = ${holder}`.execute(
    ctx.db,
  );
}

/** Records that the stream was read, which clears an earlier failure. */
export async function recordContact(ctx: Ctx, id: string, lag: number | null): Promise<void> {
  await sql`update event_stream set failing_since = null, failures = 0, failure_code = null, failure_detail = null, lag = ${lag} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Adds the counts of a batch. */
export async function recordBatch(
  ctx: Ctx,
  id: string,
  counts: { readonly messages: number; readonly events: number; readonly duplicates: number },
): Promise<void> {
  const minute = minuteOf(ctx.now);
  const before = new Date(minute.getTime() - 60_000);
  await sql`update event_stream set messages = messages + ${counts.messages}, events = events + ${counts.events}, duplicates = duplicates + ${counts.duplicates}, last_message_at = ${ctx.now},
    rate_before = case rate_minute when ${minute} then rate_before when ${before} then rate_count else 0 end,
    rate_count = case rate_minute when ${minute} then rate_count else 0 end + ${counts.events}, rate_minute = ${minute} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Records that a process is connected to the broker. */
export async function recordConnection(ctx: Ctx, id: string): Promise<void> {
  await sql`update event_stream set is_connected = true where id = ${id}`.execute(ctx.db);
}

/** Returns how far the partitions were read. */
export async function positionsOf(ctx: Ctx, id: string): Promise<Positions> {
  const { rows } = await sql<{
    partition: string;
    next: bigint;
  }>`select partition, next_offset as next from event_stream_position where stream_id = ${id}`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ partition, next }) => [partition, BigInt(next)]));
}

export async function storePositions(ctx: Ctx, id: string, positions: Positions): Promise<void> {
  if (positions.size === 0) return;
  await sql`insert into event_stream_position (stream_id, partition, next_offset)
    select ${id}, partition, next_offset from unnest(${[...positions.keys()]}::text[], ${[...positions.values()].map(String)}::bigint[]) as p (partition, next_offset)
    on conflict (stream_id, partition) do update set next_offset = excluded.next_offset`.execute(ctx.db);
}

/** Returns the figures of each stream for /metrics. */
export async function streamFigures(ctx: Pick<Ctx, 'db'>): Promise<CountedRow[]> {
  const { rows } = await sql<CountedRow>`select ${counted} from event_stream s order by s.id`.execute(ctx.db);
  return rows;
}
