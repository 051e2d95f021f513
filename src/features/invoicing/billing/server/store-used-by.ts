// Who used what a bill charges.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';

/** The organization that used what the bill of an alias charges: the one it is for, unless that one pays for another. */
export const usedBy = (bill: string): RawBuilder<Id<'org'>> =>
  sql<Id<'org'>>`coalesce(${sql.ref(`${bill}.used_by_id`)}, ${sql.ref(`${bill}.organization_id`)})`;
