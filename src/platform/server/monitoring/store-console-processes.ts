// What each console says of itself, for all of them to see.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** A console that runs on this database, or did a short while ago. */
export type ConsoleProcess = {
  /** One for each start of a process. */
  readonly id: string;
  readonly host: string;
  readonly processId: number;
  readonly version: string;
  /** Where it listens. */
  readonly address: string;
  readonly startedAt: Date;
  readonly memoryBytes: number;
  /** Connected live. */
  readonly clients: number;
};

/** As others see it: how long ago it was heard, and by how much its clock is ahead of the database's (negative: behind). */
export type SeenConsole = ConsoleProcess & {
  readonly heardSecondsAgo: number;
  readonly clockAheadMs: number;
};

const forgetAfterSeconds = 3600;

/** Says that the console runs; `now` is its machine's clock. Others that were not heard for an hour are forgotten. */
export async function sayThatItRuns(
  db: Kysely<Tables>,
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

/** Forgets a console that ends in order. */
export async function forgetConsole(db: Kysely<Tables>, id: string): Promise<void> {
  await sql`delete from console_process where id = ${id}`.execute(db);
}

/** All consoles that were heard within the hour, those that began first before the others. */
export async function seenConsoles(db: Kysely<Tables>): Promise<SeenConsole[]> {
  const { rows } = await sql<Omit<SeenConsole, 'memoryBytes'> & { memoryBytes: bigint }>`
    select id, host, process_id as "processId", version, address, started_at as "startedAt", memory_bytes as "memoryBytes", clients,
      clock_ahead_ms as "clockAheadMs", greatest(0, extract(epoch from clock_timestamp() - heard_at))::float8 as "heardSecondsAgo"
    from console_process order by started_at, id`.execute(db);
  return rows.map((row) => ({ ...row, memoryBytes: Number(row.memoryBytes) }));
}
