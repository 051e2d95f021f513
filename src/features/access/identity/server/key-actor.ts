// Whose API key a secret is: looked up once for the requests of a moment.
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { LastSeen } from '#platform/server/database/seen.ts';
import { Together } from '#platform/server/database/together.ts';
import { keysInForce, markKeysUsed, type FoundKey } from './store-keys.ts';

/** Keys in force, by the digest of their secret, and which of them were used since they were read. */
type Keys = { readonly found: ReadonlyMap<string, FoundKey>; readonly used: Set<string> };
type Line = { readonly asking: Together<string, FoundKey | undefined>; readonly last: LastSeen<Keys> };
const lines = new WeakMap<App, Line>();
const usedMarkEveryMs = 60_000;

/**
 * Who an API key stands for, by the digest of its secret, or of the one before while their overlap lasts. A key that this console has revoked
 * before the call is never taken, one that another console has revoked for 100 ms more at most (see `LastSeen`). Its last use is marked at
 * most once a minute.
 */
export async function actorOfKey(app: App, digest: Buffer): Promise<Actor | undefined> {
  const { asking, last } = lines.get(app) ?? makeLine(app);
  const hex = digest.toString('hex');
  last.renewInTime(async ({ used }) => ({ found: await findAll(app, used), used: new Set() }));
  const there = last.value();
  const key = there?.found.get(hex) ?? (await asking.ask(hex));
  if (key) there?.used.add(hex);
  return (
    key && {
      kind: 'apiKey',
      keyId: key.id,
      scope: key.scope,
      organizationId: key.organizationId,
      name: key.name,
    }
  );
}

function makeLine(app: App): Line {
  const last = new LastSeen<Keys>(app);
  const line: Line = {
    last,
    asking: new Together(async (digests) => {
      const { found } = await last.read(async (before) => {
        const more = await findAll(app, new Set(digests));
        return {
          found: new Map([...(before?.found ?? []), ...more]),
          used: new Set([...(before?.used ?? []), ...more.keys()]),
        };
      });
      return digests.map((digest) => found.get(digest));
    }),
  };
  lines.set(app, line);
  return line;
}

async function findAll(app: App, digests: Iterable<string>): Promise<ReadonlyMap<string, FoundKey>> {
  const now = app.clock.now();
  const db = app.database.kysely;
  const found = await keysInForce(
    db,
    [...digests].map((digest) => Buffer.from(digest, 'hex')),
    now,
  );
  const stale = found.filter(
    ({ lastUsedAt }) => !lastUsedAt || now.getTime() - lastUsedAt.getTime() > usedMarkEveryMs,
  );
  if (stale.length > 0)
    await markKeysUsed(
      db,
      stale.map(({ id }) => id),
      now,
    );
  return new Map(found.map((key) => [key.digest.toString('hex'), key]));
}
