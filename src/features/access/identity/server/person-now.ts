// Loads the current state of a person, or of a key that acts for them, for something that they requested
// earlier.
import type { Kysely } from 'kysely';
import type { Actor } from '#platform/server/unit-of-work/ctx.ts';
import { peopleOfKeys } from './store-keys.ts';
import { actorOfPerson } from './store-sessions.ts';

/**
 * Returns a person as they are now, with the key that they used; undefined when either is no longer active.
 */
export async function personNow(
  db: Kysely<unknown>,
  { userId, keyId, now }: { readonly userId: string; readonly keyId: string | null; readonly now: Date },
): Promise<Extract<Actor, { kind: 'user' }> | undefined> {
  if (keyId === null) return actorOfPerson(db, userId, now);
  const [byKey] = await peopleOfKeys(db, [keyId], now);
  return byKey?.userId === userId ? byKey : undefined;
}
