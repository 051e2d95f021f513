// Identifies the caller by an access token's session or an API key, read from the database for each request.
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { actorOfKey } from './key-actor.ts';
import { actorOfSession } from './session-actor.ts';
import { actorOfView } from './store-view-as.ts';
import { readAccessToken } from './tokens.ts';

/** The prefix of API key secrets, by which secret scanners recognize a leaked one. */
export const keyPrefix = 'skytally_';

/** Returns the actor of a bearer credential; undefined when it is invalid or expired. */
export async function authenticate(app: App, bearer: string): Promise<Actor | undefined> {
  if (bearer.startsWith(keyPrefix)) return actorOfKey(app, sha256(bearer));
  const read = await readAccessToken(app, bearer);
  if (!read) return undefined;
  return read.viewId === undefined
    ? actorOfSession(app, read.userId, read.sessionId)
    : actorOfView(app.database, {
        adminId: read.userId,
        sessionId: read.sessionId,
        viewId: read.viewId,
        now: app.clock.now(),
      });
}

export type KeyActor = Extract<Actor, { kind: 'apiKey' }>;

/**
 * An API key that a client presented with its secret; `now` checks whether it is still valid, as every API
 * call does.
 */
export type ShownKey = {
  readonly keyId: KeyActor['keyId'];
  readonly actor: KeyActor;
  readonly now: () => Promise<KeyActor | undefined>;
};

/**
 * Returns the API key with an id and a secret; undefined when the secret is wrong or the key is not active.
 */
export async function showKey(app: App, keyId: string, secret: string): Promise<ShownKey | undefined> {
  const hash = sha256(secret);
  const now = async (): Promise<KeyActor | undefined> => {
    const actor = await actorOfKey(app, hash);
    return actor?.kind === 'apiKey' && actor.keyId === keyId ? actor : undefined;
  };
  const actor = await now();
  return actor && { keyId: actor.keyId, actor, now };
}
