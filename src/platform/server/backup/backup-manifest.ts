// A backup's manifest, which precedes its rows: their schema, row counts, checksums, and totals of the books.
import * as z from 'zod/mini';

const identifier = z.string().check(z.regex(/^[a-z_][a-z0-9_]{0,62}$/));
const whole = z.string().check(z.regex(/^-?\d+$/));

/**
 * A figure from the books, as text: `name` identifies it, `unit` is its unit (a currency, say; '' when it
 * needs none).
 */
export const BackupTotal = z.strictObject({ name: z.string(), unit: z.string(), value: z.string() });
export type BackupTotal = z.output<typeof BackupTotal>;

export const BackupTable = z.strictObject({
  name: identifier,
  columns: z.array(identifier),
  rows: z.int(),
  /**
   * The sum of a 64-bit hash of each row: any changed, missing or duplicated row changes it; the order of
   * rows does not.
   */
  digest: whole,
});
export type BackupTable = z.output<typeof BackupTable>;

export const backupFormat = 'skytally backup 1';
export const BackupManifest = z.strictObject({
  format: z.literal(backupFormat),
  /** The release and the PostgreSQL version that made it. */
  version: z.string(),
  postgres: z.string(),
  /** The moment of the snapshot, ISO 8601. */
  madeAt: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  tables: z.array(BackupTable),
  /** Partitions that were created on demand, with their bounds in PostgreSQL's notation. */
  partitions: z.array(
    z.strictObject({
      name: identifier,
      parent: identifier,
      bound: z.string().check(z.regex(/^FOR VALUES [A-Za-z0-9'(),:+. -]+$/)),
    }),
  ),
  sequences: z.array(z.strictObject({ name: identifier, value: whole, isCalled: z.boolean() })),
  totals: z.array(BackupTotal),
  /** Jobs that were queued or running; the restored console runs them. */
  jobs: z.array(z.strictObject({ name: z.string(), data: z.unknown(), key: z.nullable(z.string()) })),
});
export type BackupManifest = z.output<typeof BackupManifest>;

/** The progress of a backup or restore. `total` and `done` count rows. */
export type BackupProgress = {
  readonly phase: 'counting' | 'writing' | 'restoring' | 'comparing';
  readonly done: number;
  readonly total: number;
};
export type OnProgress = (progress: BackupProgress) => void;

/** A difference between a database and its manifest. */
export type BackupDifference = { readonly what: string; readonly expected: string; readonly found: string };

/** Counts the rows in a piece of COPY text: line breaks within values are escaped. */
export function rowsIn(piece: Uint8Array): number {
  let rows = 0;
  for (let place = piece.indexOf(10); place >= 0; place = piece.indexOf(10, place + 1)) rows++;
  return rows;
}
