// Who may pass a route: decided by the route's own declaration, before anything of the body is read; deny by default.
import type { FastifyRequest } from 'fastify';
import { freshMinutes, scopesOf, type Route } from '#kernel/contract.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Role } from '#kernel/roles.ts';
import type { Actor, World } from '../unit-of-work/ctx.ts';
import { noteRefusal, noteView } from '../monitoring/refusals.ts';

/** Finds out who calls by the bearer credential; undefined when it is not good (any more). */
export type Authenticate = (world: World, bearer: string) => Promise<Actor | undefined>;

/**
 * Whether a role has been taken a route that its declaration allows; asked at each call. Declarations are the most that
 * anybody may: this only narrows them.
 */
export type Withdrawn = (world: World, route: string, role: Role) => Promise<boolean>;

const anonymous: Actor = { kind: 'anonymous' };

/** The caller of a route, or a refusal: 401 when nobody is signed in, 403 when they may not. `name` is feature.verb. */
export async function admit(
  world: World,
  name: string,
  route: Route,
  request: FastifyRequest,
  authenticate: Authenticate,
  isWithdrawn: Withdrawn,
): Promise<Actor> {
  // A page elsewhere may not act through somebody's browser, whatever it makes the browser send.
  const { origin } = request.headers;
  const isForeign = origin !== undefined && !isOwnOrigin(world, request.host, origin);
  if (isForeign && (route.method !== 'GET' || route.access === 'cookie'))
    throw new Refusal('platform.forbidden', 403);
  if (route.access === 'public' || route.access === 'cookie') return anonymous;
  const [scheme, bearer] = (request.headers.authorization ?? '').split(' ');
  const actor = scheme?.toLowerCase() === 'bearer' && bearer ? await authenticate(world, bearer) : undefined;
  if (!actor) throw new Refusal('platform.sign_in_required', 401);
  const refusal =
    refusalOf(world, route, actor) ??
    (actor.kind === 'user' && (await isWithdrawn(world, name, actor.role))
      ? new Refusal('platform.not_granted', 403)
      : undefined);
  if (!refusal) {
    if (actor.kind === 'user') await noteView(world, actor, name, request.id);
    return actor;
  }
  await noteRefusal(world, actor, name, refusal.code, request.id);
  throw refusal;
}

function refusalOf(world: World, route: Route, actor: Actor): Refusal | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  if (actor.kind === 'apiKey')
    return scopesOf(route.access).includes(actor.scope) ? undefined : new Refusal('platform.forbidden', 403);
  if (actor.kind !== 'user' || !route.access.roles.includes(actor.role))
    return new Refusal('platform.forbidden', 403);
  // The one place that keeps an Admin who views as somebody from doing anything in their name.
  if (actor.viewing && route.method !== 'GET' && !route.endsView)
    return new Refusal('platform.view_only', 403);
  if (actor.mustEnrol && !route.beforeEnrolment) return new Refusal('platform.enrol_second_factor', 403);
  const oldest = world.clock.now().getTime() - freshMinutes * 60_000;
  if (route.fresh && actor.provedAt.getTime() < oldest)
    return new Refusal('platform.fresh_sign_in', 403, { minutes: freshMinutes });
  return undefined;
}

/** Whether an Origin header names this console: the configured address, else the host the request came to, with or without TLS before it. */
export function isOwnOrigin(world: World, host: string, origin: string): boolean {
  if (world.config.publicUrl) return origin === new URL(world.config.publicUrl).origin;
  return origin === `http://${host}` || origin === `https://${host}`;
}
