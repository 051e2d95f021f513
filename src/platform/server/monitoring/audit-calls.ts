// Audit entries for calls that change nothing: denied calls, and what an Admin viewed as another user.
import { LRUCache } from 'lru-cache';
import { hourMs } from '#kernel/durations.ts';
import { callerOf, type Actor, type App } from '../unit-of-work/ctx.ts';
import { unitOfWork } from '../unit-of-work/unit-of-work.ts';

const quietMs = 60_000;
/** One row a minute per caller and route, so that a client that keeps retrying cannot fill the log. */
const noted = new LRUCache<string, true>({ max: 5000, ttl: quietMs });

/**
 * Writes the audit row of a denied call, in its own unit of work. `name` is feature.verb, `code` the reason
 * for the denial.
 */
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

/** What was viewed in each view session so far, kept a little longer than a session lasts. */
const viewed = new LRUCache<string, true>({ max: 20_000, ttl: hourMs });

/**
 * Records that an Admin viewed something as another user: the log has every call, the audit log the first of
 * each kind.
 */
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
