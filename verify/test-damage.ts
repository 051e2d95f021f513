// Damages the books, runs the checks, and undoes the damage, to show which check finds it.
import pg from 'pg';
import { expect } from 'vitest';
import { checks } from './checks.ts';
import { opened } from './connection.ts';

// Disables the database's own constraints and triggers for this transaction; otherwise the damage would be
// refused.
const unguarded = `do $$ declare each record; begin
  for each in select c.oid::regclass::text as name from pg_class c where relkind in ('r', 'p') and relname ~ '^(ledger_|bill|payment|usage_|month_closed$|audit_|credit_|revenue_|einvoice|consolidated_|retail_)' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s disable trigger user', each.name);
  end loop;
  for each in select conrelid::regclass::text as on_table, conname as name from pg_constraint where contype in ('f', 'c') and conparentid = 0 and connamespace = 'public'::regnamespace and conrelid::regclass::text ~ '^(ledger_|bill|payment|usage_|month_closed$|audit_|credit_|revenue_|einvoice|consolidated_|retail_)' loop
    execute format('alter table %s drop constraint %I', each.on_table, each.name);
  end loop;
end $$`;

/**
 * The findings after some statements have damaged the books; the damage is undone. A finding is written as
 * `check: code subject`.
 */
export async function foundIn(client: pg.Client, damage: readonly string[]): Promise<string[]> {
  await beginUnguarded(client);
  try {
    for (const statement of damage) {
      const { rowCount } = await client.query(statement);
      if (rowCount !== null) expect(rowCount, statement).toBeGreaterThan(0);
    }
    const looked = await opened(client, null);
    const found: string[] = [];
    // Metrics follow from bills and differ with every damage to them; their own test damages them.
    for (const check of checks.filter(({ id }) => id !== 'metrics'))
      for (const { code, subject } of (await check.run(looked)).findings)
        found.push(`${check.id}: ${code} ${subject}`);
    return found;
  } finally {
    await client.query('rollback');
  }
}

/**
 * Begins a transaction without guards. It locks most tables one after the other, against any job of the console:
 * in a deadlock, whoever the database chooses begins again, as the console's units of work do.
 */
async function beginUnguarded(client: pg.Client): Promise<void> {
  for (;;) {
    await client.query('begin');
    try {
      await client.query(unguarded);
      return;
    } catch (error) {
      await client.query('rollback');
      if (!(error instanceof pg.DatabaseError && error.code === '40P01')) throw error;
    }
  }
}
