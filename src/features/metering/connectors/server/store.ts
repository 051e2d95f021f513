// SQL of connectors.
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
import type { Mapping } from '../contract.ts';
import type { Credentials, FailureCode, Options } from '../contract-sources.ts';

export type ConnectorRow = {
  id: Id<'con'>;
  name: string;
  address: string;
  options: Options;
  credentialKind: Credentials['kind'];
  credentials: Buffer | null;
  isPaused: boolean;
  windowSeconds: number;
  settleSeconds: number;
  mapping: Mapping;
  readUntil: Date;
  hasRead: boolean;
  nextPullAt: Date;
  lastPullAt: Date | null;
  failingSince: Date | null;
  failures: number;
  failureCode: FailureCode | null;
  failureDetail: string | null;
  backfillFrom: Date | null;
  backfillUntil: Date | null;
  /** How often a retry of waiting readings was requested, and how many of these requests are done. */
  retriesAsked: number;
  retriesDone: number;
  events: bigint;
  version: number;
  createdAt: Date;
};
/** With the list's figures about its resources. */
export type CountedRow = ConnectorRow & {
  resources: bigint;
  waitingResources: bigint;
  waitingReadings: bigint;
};

const columns = sql<ConnectorRow>`c.id, c.name, c.address, c.options, c.credential_kind as "credentialKind", c.credentials, c.is_paused as "isPaused", c.window_seconds as "windowSeconds", c.settle_seconds as "settleSeconds", c.mapping,
  c.read_until as "readUntil", c.has_read as "hasRead", c.next_pull_at as "nextPullAt", c.last_pull_at as "lastPullAt", c.failing_since as "failingSince", c.failures, c.failure_code as "failureCode", c.failure_detail as "failureDetail",
  c.backfill_from as "backfillFrom", c.backfill_until as "backfillUntil", c.retries_asked as "retriesAsked", c.retries_done as "retriesDone", c.events, c.version, c.created_at as "createdAt"`;
const counted = sql<CountedRow>`${columns},
  (select count(*) from connector_resource r where r.connector_id = c.id) as resources,
  (select count(distinct w.resource) from connector_waiting w where w.connector_id = c.id) as "waitingResources",
  (select count(*) from connector_waiting w where w.connector_id = c.id) as "waitingReadings"`;

const order: ListOrder = {
  by: {
    name: { expression: sql`c.name`, cast: 'text' },
    createdAt: { expression: sql`c.created_at`, cast: 'timestamptz' },
    readUntil: { expression: sql`c.read_until`, cast: 'timestamptz' },
  },
  usual: 'name',
  id: sql`c.id`,
};

/** Returns one page of connectors. */
export const pageOfConnectors = (ctx: Ctx, input: SearchInput): Promise<Page<CountedRow>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: counted,
      from: sql`connector c`,
      where: allOf(input.q && sql`(c.name || E'\n' || c.address) ilike ${containsPattern(input.q)}`),
      order,
    },
    rowItself,
  );

/** Returns one connector with its figures. */
export async function connectorById(ctx: Ctx, id: string): Promise<CountedRow | undefined> {
  const { rows } = await sql<CountedRow>`select ${counted} from connector c where c.id = ${id}`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Returns one connector, locked: until the transaction ends, no one else can change it or move its cursor.
 */
export async function lockConnector(ctx: Ctx, id: string): Promise<ConnectorRow | undefined> {
  const { rows } =
    await sql<ConnectorRow>`select ${columns} from connector c where c.id = ${id} for update`.execute(ctx.db);
  return rows[0];
}

export const countConnectors = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`connector`, where: sql`true` });

export type ConnectorSettings = Pick<
  ConnectorRow,
  | 'name'
  | 'address'
  | 'options'
  | 'credentialKind'
  | 'credentials'
  | 'windowSeconds'
  | 'settleSeconds'
  | 'mapping'
>;

export async function insertConnector(
  ctx: Ctx,
  made: ConnectorSettings & Pick<ConnectorRow, 'id' | 'readUntil' | 'nextPullAt'>,
): Promise<void> {
  await sql`insert into connector (id, name, address, options, credential_kind, credentials, window_seconds, settle_seconds, mapping, read_until, next_pull_at, created_at)
    values (${made.id}, ${made.name}, ${made.address}, ${JSON.stringify(made.options)}::jsonb, ${made.credentialKind}, ${made.credentials}, ${made.windowSeconds}, ${made.settleSeconds}, ${JSON.stringify(made.mapping)}::jsonb, ${made.readUntil}, ${made.nextPullAt}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Stores an Admin's settings; waiting readings are retried, and it pulls at once. */
export async function changeConnector(
  ctx: Ctx,
  id: string,
  to: ConnectorSettings & Pick<ConnectorRow, 'readUntil'>,
): Promise<void> {
  await sql`update connector set name = ${to.name}, address = ${to.address}, options = ${JSON.stringify(to.options)}::jsonb, credential_kind = ${to.credentialKind}, credentials = ${to.credentials}, window_seconds = ${to.windowSeconds},
    settle_seconds = ${to.settleSeconds}, mapping = ${JSON.stringify(to.mapping)}::jsonb, read_until = ${to.readUntil}, next_pull_at = ${ctx.now}, retries_asked = retries_asked + 1, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

export async function setPaused(ctx: Ctx, id: string, isPaused: boolean): Promise<void> {
  await sql`update connector set is_paused = ${isPaused}, next_pull_at = ${ctx.now}, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

export async function deleteConnectorRow(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from connector where id = ${id}`.execute(ctx.db);
}

/** Makes a connector pull at the next run of the job and retry its waiting readings. */
export async function askPull(ctx: Ctx, id: string): Promise<void> {
  await sql`update connector set next_pull_at = ${ctx.now}, retries_asked = retries_asked + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

/** Requests that windows from a given time on are read again; widens a running backfill. */
export async function askBackfill(ctx: Ctx, id: string, from: Date, until: Date): Promise<void> {
  await sql`update connector set backfill_from = least(backfill_from, ${from}::timestamptz), backfill_until = greatest(backfill_until, ${until}::timestamptz), next_pull_at = ${ctx.now} where id = ${id}`.execute(
    ctx.db,
  );
}

/**
 * Claims connectors that are due; no other process claims them before `until`, by when the claiming process
 * has finished or scheduled the next pull.
 */
export async function claimDue(ctx: Ctx, until: Date): Promise<Id<'con'>[]> {
  const { rows } = await sql<{ id: Id<'con'> }>`update connector set next_pull_at = ${until} where id in
    (select id from connector where not is_paused and next_pull_at <= ${ctx.now} order by next_pull_at limit 20 for update skip locked) returning id`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

export async function setNextPull(ctx: Ctx, id: string, at: Date): Promise<void> {
  await sql`update connector set next_pull_at = ${at} where id = ${id}`.execute(ctx.db);
}

/** Records a failed pull: since when, why, and when it is retried. */
export async function recordFailure(
  ctx: Ctx,
  id: string,
  failure: { readonly code: FailureCode; readonly detail: string },
  nextPullAt: Date,
): Promise<void> {
  await sql`update connector set failing_since = coalesce(failing_since, ${ctx.now}), failures = failures + 1, failure_code = ${failure.code}, failure_detail = ${failure.detail}, last_pull_at = ${ctx.now}, next_pull_at = ${nextPullAt} where id = ${id}`.execute(
    ctx.db,
  );
}

/**
 * Records a pulled window: how far the connector has read, the remaining backfill, and the number of
 * resulting events.
 */
export async function recordRead(
  ctx: Ctx,
  id: string,
  to: {
    readonly readUntil: Date;
    readonly backfill: { readonly from: Date; readonly until: Date } | null;
    readonly accepted: number;
    readonly claimedUntil: Date;
  },
): Promise<void> {
  await sql`update connector set read_until = ${to.readUntil}, has_read = true, backfill_from = ${to.backfill?.from ?? null}, backfill_until = ${to.backfill?.until ?? null}, events = events + ${to.accepted},
    failing_since = null, failures = 0, failure_code = null, failure_detail = null, last_pull_at = ${ctx.now}, next_pull_at = ${to.claimedUntil} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Marks the retries that were requested before the connector was read as done. */
export async function endRetries(ctx: Ctx, id: string, retriesAsked: number): Promise<void> {
  await sql`update connector set retries_done = ${retriesAsked} where id = ${id}`.execute(ctx.db);
}

/** Adds the number of events that waiting readings became. */
export async function addEvents(ctx: Ctx, id: string, accepted: number): Promise<void> {
  await sql`update connector set events = events + ${accepted} where id = ${id}`.execute(ctx.db);
}

/** Returns the figures of each connector for /metrics. */
export async function connectorFigures(ctx: Pick<Ctx, 'db'>): Promise<CountedRow[]> {
  const { rows } = await sql<CountedRow>`select ${counted} from connector c order by c.id`.execute(ctx.db);
  return rows;
}

/** Returns the number of connectors that currently fail. */
export const failingConnectors = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`connector`, where: sql`failing_since is not null and not is_paused` });
