// Calls in the audit log that change nothing: who tried what they may not, and what an Admin looked at as somebody else.
import { LRUCache } from 'lru-cache';
import { callerOf, type Actor, type App } from '../unit-of-work/ctx.ts';
import { unitOfWork } from '../unit-of-work/unit-of-work.ts';

const quietMs = 60_000;
/** One row a minute for each caller and route: a program that keeps knocking must not fill the log. */
const noted = new LRUCache<string, true>({ max: 5000, ttl: quietMs });

/** Writes the audit row of a denied call, in a unit of its own. `name` is feature.verb, `code` why it was denied. */
export async function auditDenied(
  app: App,
  actor: Actor,
  name: string,
  code: string,
  requestId: string,
): Promise<void> {
  const view = actor.kind === 'user' ? actor.viewing?.viewId : undefined;
  const key = `${callerOf(actor)} ${view ?? ''} ${name} ${code}`;
  if (noted.has(key)) return;
  noted.set(key, true);
  await unitOfWork(app, { actor, requestId }, async (ctx) => ctx.audit('platform.refused', name, { code }));
}

/** What was looked at in each view so far, kept a little longer than a view lasts. */
const viewed = new LRUCache<string, true>({ max: 20_000, ttl: 3_600_000 });

/** Writes down that an Admin looked at something as somebody else: the log has every call, the audit log the first of each kind. */
export async function auditView(
  app: App,
  actor: Extract<Actor, { kind: 'user' }>,
  name: string,
  requestId: string,
): Promise<void> {
  const { viewing } = actor;
  if (!viewing) return;
  app.log.info(
    { requestId, call: name, view: viewing.viewId, by: viewing.by, as: actor.userId },
    'called while viewing as a user',
  );
  const key = `${viewing.viewId} ${name}`;
  if (viewed.has(key)) return;
  viewed.set(key, true);
  await unitOfWork(app, { actor, requestId }, async (ctx) =>
    ctx.audit('platform.viewed', actor.userId, { call: name }),
  );
}
