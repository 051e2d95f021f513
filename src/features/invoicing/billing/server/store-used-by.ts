// SQL of the organization whose usage a bill charges.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';

/**
 * The organization whose usage the bill with an alias charges: the billed one, unless that one pays for
 * another.
 */
export const usedBy = (bill: string): RawBuilder<Id<'org'>> =>
  sql<Id<'org'>>`coalesce(${sql.ref(`${bill}.used_by_id`)}, ${sql.ref(`${bill}.organization_id`)})`;
