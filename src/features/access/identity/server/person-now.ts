// Who somebody is now, for what they asked for earlier: themselves, or a key that acts for them.
import type { Kysely } from 'kysely';
import type { Actor } from '#platform/server/unit-of-work/ctx.ts';
import type { Tables } from '#platform/server/database/tables.ts';
import { peopleOfKeys } from './store-keys.ts';
import { actorOfPerson } from './store-sessions.ts';

/** A person as they are now, with the key that they asked by; undefined when either may act no more. */
export async function personNow(
  db: Kysely<Tables>,
  { userId, keyId, now }: { readonly userId: string; readonly keyId: string | null; readonly now: Date },
): Promise<Extract<Actor, { kind: 'user' }> | undefined> {
  if (keyId === null) return actorOfPerson(db, userId, now);
  const [byKey] = await peopleOfKeys(db, [keyId], now);
  return byKey?.userId === userId ? byKey : undefined;
}
