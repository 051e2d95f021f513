// What each console reports about itself, visible to all of them.
import { sql, type Kysely } from 'kysely';

/** A console process that runs on this database, or ran shortly before. */
export type ConsoleProcess = {
  /** Unique per start of a process. */
  readonly id: string;
  readonly host: string;
  readonly processId: number;
  readonly version: string;
  /** The address that it listens on. */
  readonly address: string;
  readonly startedAt: Date;
  readonly memoryBytes: number;
  /** The number of live connections. */
  readonly clients: number;
};

/**
 * A console as the others see it: how long ago it last reported, and how far its clock is ahead of the
 * database's (negative: behind).
 */
export type SeenConsole = ConsoleProcess & {
  readonly heardSecondsAgo: number;
  readonly clockAheadMs: number;
};

const forgetAfterSeconds = 3600;

/**
 * Reports that the console is running; `now` is its machine's clock. Consoles that have not reported for an
 * hour are deleted.
 */
export async function recordHeartbeat(
  db: Kysely<unknown>,
  { id, host, processId, version, address, startedAt, memoryBytes, clients }: ConsoleProcess,
  now: Date,
): Promise<void> {
  await sql`with quick as (select set_config('synchronous_commit', 'off', true)),
    gone as (delete from console_process where heard_at < clock_timestamp() - ${forgetAfterSeconds} * interval '1 second')
    insert into console_process (id, host, process_id, version, address, started_at, heard_at, clock_ahead_ms, memory_bytes, clients)
    select ${id}, ${host}, ${processId}, ${version}, ${address}, ${startedAt}, clock_timestamp(),
      greatest(-2000000000, least(2000000000, round(extract(epoch from ${now}::timestamptz - clock_timestamp()) * 1000)))::int, ${memoryBytes}, ${clients} from quick
    on conflict (id) do update set heard_at = excluded.heard_at, clock_ahead_ms = excluded.clock_ahead_ms,
      memory_bytes = excluded.memory_bytes, clients = excluded.clients, address = excluded.address`.execute(
    db,
  );
}

/** Deletes a console that is shutting down. */
export async function forgetConsole(db: Kysely<unknown>, id: string): Promise<void> {
  await sql`delete from console_process where id = ${id}`.execute(db);
}

/** All consoles that reported within the hour, oldest start first. */
export async function seenConsoles(db: Kysely<unknown>): Promise<SeenConsole[]> {
  const { rows } = await sql<Omit<SeenConsole, 'memoryBytes'> & { memoryBytes: bigint }>`
    select id, host, process_id as "processId", version, address, started_at as "startedAt", memory_bytes as "memoryBytes", clients,
      clock_ahead_ms as "clockAheadMs", greatest(0, extract(epoch from clock_timestamp() - heard_at))::float8 as "heardSecondsAgo"
    from console_process order by started_at, id`.execute(db);
  return rows.map((row) => ({ ...row, memoryBytes: Number(row.memoryBytes) }));
}
