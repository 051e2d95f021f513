// Notifies a user of a sign-in from a new browser, once a day per kind of browser and network.
import { LRUCache } from 'lru-cache';
import { oncePer } from '#kernel/once.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import type { User } from '#features/access/identity/contract.ts';
import { deviceName } from '#features/access/identity/rules.ts';
import { networkOf } from '../rules.ts';
import { accessChanged } from './access-changed.ts';

const cacheSize = 5000;
const notifiedOf = oncePer((_app: App) => new LRUCache<string, true>({ max: cacheSize, ttl: dayMs }));

/**
 * A browser that discards its cookies is new at every sign-in; this identifies its kind and network, so that
 * it causes one notice a day.
 */
const aboutOf = ({ userAgent, address }: Reply): string =>
  sha256(`${userAgent}\n${networkOf(address)}`).toString('base64url');
const keyOf = (user: User, reply: Reply, at: Date): string =>
  `${user.id} ${aboutOf(reply)} ${at.toISOString().slice(0, 10)}`;

/** Whether this process notified the user today. If another process did, a second notice is dropped when it is stored. */
export const wasNotifiedOfDevice = (app: App, user: User, reply: Reply, at: Date): boolean =>
  notifiedOf(app).has(keyOf(user, reply, at));

/** Records that a user was notified. Call it after the commit of the transaction that stored the notice. */
export function rememberNotifiedOfDevice(app: App, user: User, reply: Reply, at: Date): void {
  notifiedOf(app).set(keyOf(user, reply, at), true);
}

export async function emitNewDevice(own: Ctx, user: User, reply: Reply): Promise<void> {
  await own.emit(accessChanged, {
    userId: user.id,
    what: 'new_device',
    params: { device: deviceName(reply.userAgent), address: reply.address },
    about: aboutOf(reply),
  });
}
