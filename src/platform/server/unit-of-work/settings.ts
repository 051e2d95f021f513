// Settings that an Admin can change: typed, with a default, stored in one small table.
import { sql, type Kysely } from 'kysely';
import * as z from 'zod/mini';

/** One setting: its key, its schema and its value until an Admin changes it. */
export type Setting<T> = { readonly key: string; readonly shape: z.ZodMiniType<T>; readonly initial: T };

/** Declares a setting. */
export function setting<T>(key: string, shape: z.ZodMiniType<T>, initial: T): Setting<T> {
  return { key, shape, initial };
}

/** All stored settings, by key. */
export async function loadSettings(db: Kysely<unknown>): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await sql<{ key: string; value: unknown }>`--hot settings
    select key, value from setting`.execute(db);
  return new Map(rows.map((row) => [row.key, row.value]));
}

/** A setting's value: the stored one if it matches the schema, else the initial one. */
export function settingOf<T>(stored: ReadonlyMap<string, unknown>, wanted: Setting<T>): T {
  if (!stored.has(wanted.key)) return wanted.initial;
  return z.parse(wanted.shape, stored.get(wanted.key));
}

/** Stores a setting's new value. */
export async function storeSetting<T>(
  db: Kysely<unknown>,
  changed: Setting<T>,
  value: T,
  now: Date,
  changedBy: string,
): Promise<void> {
  const wire = JSON.stringify(z.parse(changed.shape, value));
  await sql`insert into setting (key, value, changed_at, changed_by) values (${changed.key}, ${wire}::jsonb, ${now}, ${changedBy})
    on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    db,
  );
}
