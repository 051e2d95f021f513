// The tables of the migrated database, as Kysely knows them. Written by `npm run tables`; never by hand.
import type { Generated } from 'kysely';

/** Every table of the console, by its name. */
export type Tables = {
  schema_migration: SchemaMigrationTable;
};

export type SchemaMigrationTable = {
  applied_at: Generated<Date>;
  checksum: string;
  name: string;
};
