// Consoles in separate processes that close months on one database, for tests that kill them.
import type pg from 'pg';
import { addressOf, createTestDatabase } from './database.ts';
import { processApi as api, type ProcessConsole } from './process.ts';

export type Query = {
  query: <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<pg.QueryResult<R>>;
};

/** Creates a database, and returns its URL for processes. */
export async function databaseOfProcesses(): Promise<{ db: Query; url: string }> {
  const { pool, connection } = await createTestDatabase();
  return { db: pool, url: addressOf(connection) };
}

/** Has a job of consoles that runs every so many seconds begin at once, instead of those seconds after it ran last. */
export const runNow = (db: Query, job: string): Promise<unknown> =>
  db.query(`update job.job set start_after = now() where name = $1 and state = 'created'`, [job]);

type Closed = { readonly issued: number; readonly parked: number };
/** Closes a month; undefined when the process dies meanwhile. */
export const close = (console: ProcessConsole, admin: string, month: string): Promise<Closed | undefined> =>
  api<Closed>(console, 'POST', '/admin/billing/close', { month }, admin).catch(() => undefined);
/** How many bills a month has so far. */
export async function billed(db: Query, month: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>('select count(*) as count from bill where month = $1', [
    month,
  ]);
  return Number(rows[0]?.count);
}
