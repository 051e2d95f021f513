// Decides who may call a route, from the route's own declaration, before the body is read; denies by default.
import type { FastifyRequest } from 'fastify';
import { freshMinutes, scopesOf, type Route } from '#kernel/contract.ts';
import { DomainError } from '#kernel/errors.ts';
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';
import { brandAddress, brandAtHost } from '../unit-of-work/brand-address.ts';
import type { ActingKey, ActingPortal, Actor, App } from '../unit-of-work/ctx.ts';
import { isAddressIn } from '../security/address-list.ts';
import { sha256 } from '../security/digest.ts';
import { countCall } from './store-rate-windows.ts';
import { auditDenied, auditView } from '../monitoring/audit-calls.ts';

/** Resolves a bearer credential to its actor; undefined when it is invalid or expired. */
export type Authenticate = (app: App, bearer: string) => Promise<Actor | undefined>;

/**
 * Whether an Admin has revoked a role's access to a route that its declaration allows; checked at each call.
 * This can only narrow a declaration.
 */
export type Withdrawn = (app: App, route: string, role: Role) => Promise<boolean>;

/**
 * The permission that a key needs to make a call on behalf of its person; undefined when no key may make it.
 * `name` is feature.verb.
 */
export type PermissionOf = (name: string, route: Route) => Permission | undefined;

/**
 * The permission that a custom role needs to make a call: `own` when everybody may make it for themselves;
 * undefined when no custom role can include it. `name` is feature.verb.
 */
export type RolePermissionOf = (name: string, route: Route) => Permission | 'own' | undefined;

/** Whether a portal link allows a call, given its pages and whether it may change anything. `name` is feature.verb. */
export type PortalAllows = (name: string, route: Route, portal: ActingPortal) => boolean;

/** What a call requires in addition to its route's declaration, because of its input or of what it is about. */
export type Demands = {
  /** Permissions that the caller's key and custom role must both include. */
  readonly permissions?: readonly Permission[];
  /** Permissions that only a custom role must include. */
  readonly rolePermissions?: readonly Permission[];
  /** Asks for a fresh proof of identity, as `fresh` of a route does. */
  readonly isFresh?: boolean;
};
/** What a call with this valid input demands; undefined for most calls. `name` is feature.verb. */
export type DemandsOf = (app: App, name: string, input: unknown) => Promise<Demands> | undefined;

/** The permissions that calls require of callers restricted by a key, a custom role or a portal link. */
export type CallPermissions = {
  readonly permissionOf: PermissionOf;
  readonly rolePermissionOf: RolePermissionOf;
  readonly portalAllows: PortalAllows;
  readonly demandsOf: DemandsOf;
};

/** Everything that decides about callers. */
export type Gate = CallPermissions & {
  readonly authenticate: Authenticate;
  readonly isWithdrawn: Withdrawn;
};

/** Calls per minute that one key acting for a person may make, across all consoles. */
export const keyCallsPerMinute = 600;

const anonymous: Actor = { kind: 'anonymous' };

/**
 * Determines the caller of a route. Throws 401 when the caller is not signed in, 403 when the route does not
 * allow them. `name` is feature.verb.
 */
export async function admit(
  app: App,
  name: string,
  route: Route,
  request: FastifyRequest,
  { authenticate, isWithdrawn, permissionOf, rolePermissionOf, portalAllows }: Gate,
): Promise<Actor> {
  // A page of another origin must not act with the user's cookie, whatever request it makes the browser send
  // (CSRF).
  const { origin } = request.headers;
  const isForeign = origin !== undefined && !(await isOwnOrigin(app, request.host, origin));
  const mayBeForeign = route.method === 'GET' || route.fromOtherSites === true;
  if (isForeign && (!mayBeForeign || route.access === 'cookie'))
    throw new DomainError('platform.forbidden', 403);
  if (route.access === 'public' || route.access === 'cookie') return anonymous;
  const [scheme, bearer] = (request.headers.authorization ?? '').split(' ');
  const actor = scheme?.toLowerCase() === 'bearer' && bearer ? await authenticate(app, bearer) : undefined;
  if (!actor) throw new DomainError('platform.sign_in_required', 401);
  if (actor.kind === 'user' && actor.key) await countKeyCall(app, actor.key.keyId);
  const denial =
    portalDenialOf(actor, name, route, portalAllows) ??
    keyDenialOf(actor, request.ip, permissionOf(name, route)) ??
    networkDenialOf(actor, request.ip) ??
    denialOf(app, route, actor) ??
    customRoleDenialOf(actor, rolePermissionOf(name, route)) ??
    (actor.kind === 'user' && (await isWithdrawn(app, name, actor.role))
      ? new DomainError('platform.not_granted', 403)
      : undefined);
  if (!denial) {
    if (actor.kind === 'user') await auditView(app, actor, name, request.id);
    return actor;
  }
  await auditDenied(app, actor, name, denial.code, request.id);
  throw denial;
}

/**
 * Decides about an admitted call by its valid input, before it runs or is held: a held call runs without its
 * caller's session. @throws DomainError 403
 */
export async function admitInput(
  app: App,
  name: string,
  input: unknown,
  { actor, id }: { readonly actor: Actor; readonly id: string },
  { demandsOf }: Pick<Gate, 'demandsOf'>,
): Promise<void> {
  if (actor.kind !== 'user') return;
  const demands = await demandsOf(app, name, input);
  const denial = demands && demandDenialOf(app, actor, demands);
  if (!denial) return;
  await auditDenied(app, actor, name, denial.code, id);
  throw denial;
}

type User = Extract<Actor, { kind: 'user' }>;

function demandDenialOf(app: App, actor: User, demands: Demands): DomainError | undefined {
  const { permissions = [], rolePermissions = [], isFresh = false } = demands;
  const { key } = actor;
  for (const permission of permissions) {
    const denial = key && keyPermissionDenialOf(key, permission);
    if (denial) return denial;
  }
  for (const permission of [...permissions, ...rolePermissions]) {
    const denial = customRoleDenialOf(actor, permission);
    if (denial) return denial;
  }
  return isFresh ? staleDenialOf(app, actor) : undefined;
}

/**
 * Why a caller may no longer make a call that was admitted earlier and then held; undefined when they may.
 * The caller's network and the age of their proof of identity were checked at admission.
 */
export async function lostRightOf(
  app: App,
  { name, route, input }: { readonly name: string; readonly route: Route; readonly input: unknown },
  actor: User,
  { isWithdrawn, permissionOf, rolePermissionOf, demandsOf }: Omit<Gate, 'authenticate'>,
): Promise<DomainError | undefined> {
  const proved = { ...actor, provedAt: app.clock.now() };
  const demands = await demandsOf(app, name, input);
  const denial =
    (actor.key && keyPermissionDenialOf(actor.key, permissionOf(name, route))) ??
    denialOf(app, route, proved) ??
    customRoleDenialOf(actor, rolePermissionOf(name, route)) ??
    (demands && demandDenialOf(app, proved, demands));
  if (denial) return denial;
  return (await isWithdrawn(app, name, actor.role))
    ? new DomainError('platform.not_granted', 403)
    : undefined;
}

/** Throws 429 when a key exceeds its rate limit. */
async function countKeyCall(app: App, keyId: string): Promise<void> {
  const { calls, leftMs } = await countCall(app.database.pool, sha256(`key ${keyId}`), 60_000);
  if (calls > keyCallsPerMinute)
    throw new DomainError('platform.too_many_requests', 429, { retryAfter: Math.ceil(leftMs / 1000) });
}

/** Why a portal link does not allow a call; undefined for other callers. */
function portalDenialOf(
  actor: Actor,
  name: string,
  route: Route,
  portalAllows: PortalAllows,
): DomainError | undefined {
  if (actor.kind !== 'user' || !actor.portal || portalAllows(name, route, actor.portal)) return undefined;
  return new DomainError('platform.portal_never', 403);
}

/** Why a key may not make a call that its person might; undefined for other callers. */
function keyDenialOf(
  actor: Actor,
  address: string,
  permission: Permission | undefined,
): DomainError | undefined {
  if (actor.kind !== 'user' || !actor.key) return undefined;
  const { addresses } = actor.key;
  if (addresses.length > 0 && !isAddressIn(addresses, address))
    return new DomainError('platform.key_address', 403, { address });
  return keyPermissionDenialOf(actor.key, permission);
}

function keyPermissionDenialOf(
  { permissions }: ActingKey,
  permission: Permission | undefined,
): DomainError | undefined {
  if (permission === undefined) return new DomainError('platform.key_never', 403);
  return permissions.includes(permission)
    ? undefined
    : new DomainError('platform.key_permission', 403, { permission });
}

/** Why a session may not be used from the caller's network; undefined for other callers. */
function networkDenialOf(actor: Actor, address: string): DomainError | undefined {
  if (actor.kind !== 'user' || actor.key || !actor.networks || actor.networks.length === 0) return undefined;
  return isAddressIn(actor.networks, address)
    ? undefined
    : new DomainError('platform.network_refused', 403, { address });
}

/** Why a custom role does not allow a call that the built-in role might; undefined for other callers. */
function customRoleDenialOf(
  actor: Actor,
  permission: Permission | 'own' | undefined,
): DomainError | undefined {
  if (actor.kind !== 'user' || !actor.customRole || permission === 'own') return undefined;
  if (permission === undefined) return new DomainError('platform.role_never', 403);
  return actor.customRole.permissions.includes(permission)
    ? undefined
    : new DomainError('platform.role_permission', 403, { permission });
}

function denialOf(app: App, route: Route, actor: Actor): DomainError | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  if (actor.kind === 'apiKey')
    return scopesOf(route.access).includes(actor.scope)
      ? undefined
      : new DomainError('platform.forbidden', 403);
  if (actor.kind !== 'user' || !route.access.roles.includes(actor.role))
    return new DomainError('platform.forbidden', 403);
  // An Admin viewing as another user may only read. This is the only check for it on routes that write.
  if (actor.viewing && route.method !== 'GET' && !route.endsView)
    return new DomainError('platform.view_only', 403);
  if (actor.mustEnrol && !route.beforeEnrolment) return new DomainError('platform.enrol_second_factor', 403);
  return route.fresh ? staleDenialOf(app, actor) : undefined;
}

/** Why a caller's proof of identity is too old for a call that requires a fresh one. */
function staleDenialOf(app: App, { key, provedAt }: User): DomainError | undefined {
  // A program cannot prove who it is; the person granted this when they created the key.
  if (key) return key.irreversible ? undefined : new DomainError('platform.key_irreversible', 403);
  const oldest = app.clock.now().getTime() - freshMinutes * 60_000;
  return provedAt.getTime() < oldest
    ? new DomainError('platform.fresh_sign_in', 403, { minutes: freshMinutes })
    : undefined;
}

/**
 * Whether an Origin header names this console: the configured address, else the request's Host, with http or
 * https; or a reseller's verified host name, for requests to that host.
 */
export async function isOwnOrigin(app: App, host: string, origin: string): Promise<boolean> {
  if (!app.config.publicUrl) return origin === `http://${host}` || origin === `https://${host}`;
  if (origin === new URL(app.config.publicUrl).origin) return true;
  const brand = await brandAtHost(app, host);
  return brand !== undefined && origin === brandAddress(app, brand.host);
}
