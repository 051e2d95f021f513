// A browser that somebody never used: they are told, once a day for each sort of browser and network.
import { LRUCache } from 'lru-cache';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import type { User } from '#features/access/identity/contract.ts';
import { deviceName } from '#features/access/identity/rules.ts';
import { networkOf } from '../rules.ts';
import { accessChanged } from './access-changed.ts';

const mostKept = 5000;
const dayMs = 86_400_000;
const told = new WeakMap<App, LRUCache<string, true>>();

/** Somebody whose browser forgets its cookies is not told at every sign-in: this is what it is told of once a day. */
const aboutOf = ({ userAgent, address }: Reply): string =>
  sha256(`${userAgent}\n${networkOf(address)}`).toString('base64url');
const keyOf = (user: User, reply: Reply, at: Date): string =>
  `${user.id} ${aboutOf(reply)} ${at.toISOString().slice(0, 10)}`;

/** Whether somebody was told today; another process may have told them, in which case telling them again does nothing. */
export const wasToldOfDevice = (app: App, user: User, reply: Reply, at: Date): boolean =>
  told.get(app)?.has(keyOf(user, reply, at)) ?? false;

/** Remembers that somebody was told. Only after the commit of the unit that told them. */
export function rememberToldOfDevice(app: App, user: User, reply: Reply, at: Date): void {
  const cache = told.get(app) ?? new LRUCache<string, true>({ max: mostKept, ttl: dayMs });
  told.set(app, cache.set(keyOf(user, reply, at), true));
}

export async function tellNewDevice(own: Ctx, user: User, reply: Reply): Promise<void> {
  await own.emit(accessChanged, {
    userId: user.id,
    what: 'new_device',
    params: { device: deviceName(reply.userAgent), address: reply.address },
    about: aboutOf(reply),
  });
}
