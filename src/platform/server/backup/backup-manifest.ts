// What a backup says of itself, before its rows: which schema they belong to, how many there are, and what they come to.
import * as z from 'zod/mini';

const identifier = z.string().check(z.regex(/^[a-z_][a-z0-9_]{0,62}$/));
const whole = z.string().check(z.regex(/^-?\d+$/));

/** A figure of the books, as text: `name` says what, `unit` of what (a currency, say; '' when it needs none). */
export const BackupTotal = z.strictObject({ name: z.string(), unit: z.string(), value: z.string() });
export type BackupTotal = z.output<typeof BackupTotal>;

export const BackupTable = z.strictObject({
  name: identifier,
  columns: z.array(identifier),
  rows: z.int(),
  /** The sum of a 64-bit hash of each row: whatever is changed, missing, or twice changes it, the order of rows does not. */
  digest: whole,
});
export type BackupTable = z.output<typeof BackupTable>;

export const backupFormat = 'skytally backup 1';
export const BackupManifest = z.strictObject({
  format: z.literal(backupFormat),
  /** The release that made it, and the PostgreSQL that it ran on. */
  version: z.string(),
  postgres: z.string(),
  /** The moment whose state it holds, ISO 8601. */
  madeAt: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  tables: z.array(BackupTable),
  /** Parts of tables that were made as they were needed, with the bounds as PostgreSQL writes them. */
  partitions: z.array(
    z.strictObject({
      name: identifier,
      parent: identifier,
      bound: z.string().check(z.regex(/^FOR VALUES [A-Za-z0-9'(),:+. -]+$/)),
    }),
  ),
  sequences: z.array(z.strictObject({ name: identifier, value: whole, isCalled: z.boolean() })),
  totals: z.array(BackupTotal),
  /** Jobs that waited or were running: the restored console does them. */
  jobs: z.array(z.strictObject({ name: z.string(), data: z.unknown(), key: z.nullable(z.string()) })),
});
export type BackupManifest = z.output<typeof BackupManifest>;

/** How far a backup or a restore is. `total` and `done` count rows. */
export type BackupProgress = {
  readonly phase: 'counting' | 'writing' | 'restoring' | 'comparing';
  readonly done: number;
  readonly total: number;
};
export type OnProgress = (progress: BackupProgress) => void;

/** Something that is not as the manifest says. */
export type BackupDifference = { readonly what: string; readonly expected: string; readonly found: string };

/** How many rows a piece of COPY's text holds: a line end within a value is written otherwise. */
export function rowsIn(piece: Uint8Array): number {
  let rows = 0;
  for (let place = piece.indexOf(10); place >= 0; place = piece.indexOf(10, place + 1)) rows++;
  return rows;
}
