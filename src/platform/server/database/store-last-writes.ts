// The WAL positions of callers' last writes, and of the servers.
import type pg from 'pg';

/** A WAL position (LSN) as a number; a greater one is later. */
export type Place = bigint;

/** A row that marks when the table was last empty (after a crash): callers' earlier writes may be missing. */
const sentinel = '*';
/** A replica that lags further is not used, so older writes need not be known. */
const keptMinutes = 10;

/** Stores the primary's current position as that of a caller's last write. Call it after the write is committed. */
export async function storeLastWrite(primary: pg.Pool, caller: string): Promise<void> {
  await primary.query(
    `--hot last-write-store
    with quick as (select set_config('synchronous_commit', 'off', true))
    insert into last_write (caller, place, at) select $1, (pg_current_wal_insert_lsn() - '0/0')::int8, clock_timestamp() from quick
    on conflict (caller) do update set place = greatest(last_write.place, excluded.place), at = excluded.at`,
    [caller],
  );
}

/**
 * The positions of the callers' last writes, each at its caller's position: null for callers without a recent
 * write; `unknown` for all if the table was empty less than `settledSeconds` ago.
 */
export async function lastWritesOf(
  primary: pg.Pool,
  callers: readonly string[],
  settledSeconds: number,
): Promise<(Place | null | 'unknown')[]> {
  const { rows } = await primary.query<{ caller: string; place: Place; isSettled: boolean }>(
    `--hot last-write-read
    select caller, place, at < clock_timestamp() - $2 * interval '1 second' as "isSettled" from last_write
    where caller = any($1::text[]) and (caller = '${sentinel}' or at > clock_timestamp() - interval '${keptMinutes} minutes')`,
    [[...callers, sentinel], settledSeconds],
  );
  const found = new Map(rows.map((row) => [row.caller, row]));
  const isSettled = found.get(sentinel)?.isSettled === true;
  return callers.map((caller) => (isSettled ? (found.get(caller)?.place ?? null) : 'unknown'));
}

/** The primary's position; also marks the table as not empty. */
export async function primaryPlace(primary: pg.Pool): Promise<Place> {
  const { rows } = await primary.query<{ place: Place }>(
    `with quick as (select set_config('synchronous_commit', 'off', true)),
      mark as (insert into last_write (caller, place, at) select '${sentinel}', 0, clock_timestamp() from quick
        where not exists (select 1 from last_write where caller = '${sentinel}') on conflict do nothing)
    select (pg_current_wal_insert_lsn() - '0/0')::int8 as place`,
  );
  return rows[0]?.place ?? 0n;
}

/** What a server reports: its cluster, its database, and its position. `start` distinguishes servers. */
export type ServerNow = {
  readonly system: string;
  readonly database: string;
  readonly start: string;
  readonly isReplica: boolean;
  readonly place: Place;
};

/** Queries a server; on a primary, the written position counts as replayed. */
export async function serverNow(client: Pick<pg.ClientBase, 'query'>): Promise<ServerNow> {
  const { rows } = await client.query<ServerNow>(
    `select (select system_identifier::text from pg_control_system()) as system, (select oid::text from pg_database where datname = current_database()) as database,
      pg_postmaster_start_time()::text || ' ' || coalesce(inet_server_port()::text, '') as start, pg_is_in_recovery() as "isReplica",
      ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end) - '0/0')::int8 as place`,
  );
  const [now] = rows;
  if (now === undefined) throw new Error('a server said nothing of itself');
  // While a connection is being opened, numbers are read as text.
  return { ...now, place: BigInt(now.place) };
}
