// API keys for programs, of an organization or the platform: the secret is shown once, stored hashed, rotated
// with an overlap, revoked immediately.
import { freshMinutes, type In, type Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { DomainError, ValidationError, domainError } from '#kernel/errors.ts';
import { required } from '#kernel/assert.ts';
import { permissions as everyPermission, type Permission } from '#kernel/permissions.ts';
import { hourMs } from '#kernel/durations.ts';
import { networkOf } from '#platform/server/security/address-list.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { identityErrors, type ApiKey, type identity, type KeyKind } from '../contract.ts';
import { maxOrganizationKeys, usualOverlapHours } from '../rules.ts';
import { keyPrefix } from './authenticate.ts';
import { organizationById } from './store.ts';
import {
  apiKeyOf,
  countApiKeys,
  insertApiKey,
  pageOfApiKeys,
  replaceSecret,
  revokeKey,
  setSecret,
  type KeyOwner,
} from './store-keys.ts';
import { randomSecret } from './tokens.ts';

/** A key was created, rotated or revoked; `by` is the user who did it. */
export type KeyChanged = {
  readonly keyId: Id<'key'>;
  readonly name: string;
  readonly organizationId: Id<'org'> | null;
  readonly what: 'key_made' | 'key_rotated' | 'key_revoked';
  readonly by: string;
};
export const keyChanged = domainEvent<KeyChanged>('identity.keyChanged');

type KeyWithSecret = Out<typeof identity.createApiKey>;

/** Generates a secret, and the parts of it that are stored. */
function newSecret(): { secret: string; hash: Buffer; hint: string } {
  const secret = `${keyPrefix}${randomSecret()}`;
  return { secret, hash: sha256(secret), hint: `${keyPrefix}…${secret.slice(-4)}` };
}

export async function listApiKeys(
  ctx: Ctx,
  { limit, cursor }: In<typeof identity.listApiKeys>,
): Promise<Out<typeof identity.listApiKeys>> {
  return pageOfApiKeys(ctx, 'anybody', { limit, cursor });
}

export async function organizationKeys(ctx: Ctx): Promise<Out<typeof identity.organizationKeys>> {
  return { items: (await pageOfApiKeys(ctx, tenant(ctx), { limit: maxOrganizationKeys })).items };
}

/** Creates a key of the platform or of any organization. */
export async function createApiKey(
  ctx: Ctx,
  input: In<typeof identity.createApiKey>,
): Promise<KeyWithSecret> {
  if (input.organizationId && !(await organizationById(ctx.db, input.organizationId)))
    throw domainError(identityErrors, 'identity.organization_not_found');
  // A read key reads one organization's data, so the platform cannot own one.
  if (input.scope === 'read' && !input.organizationId)
    throw new ValidationError([{ field: 'organizationId', code: 'identity.read_key_needs_organization' }]);
  // Such a key acts for an Admin, who belongs to no organization and has access to all.
  if (input.scope === 'permissions' && input.organizationId)
    throw new ValidationError([{ field: 'organizationId', code: 'identity.key_acts_for_you' }]);
  return addKey(ctx, input, input.organizationId ?? null);
}

/** Creates a key of the caller's organization. */
export async function createOrganizationKey(
  ctx: Ctx,
  input: In<typeof identity.createOrganizationKey>,
): Promise<KeyWithSecret> {
  return addKey(ctx, input, tenant(ctx));
}

/**
 * Creates a key that acts for the caller, who must have proved their identity. It has no secret until {@link
 * giveSecret} issues one.
 */
export async function makeOwnKey(
  ctx: Ctx,
  limits: {
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly irreversible: boolean;
    readonly expiresAt: Date;
  },
): Promise<ApiKey> {
  const { key } = await addKey(
    ctx,
    { ...limits, permissions: [...limits.permissions], scope: 'permissions' },
    person(ctx).organizationId,
  );
  return key;
}

/** Issues the secret of a key and returns it; undefined when the key no longer exists. */
export async function giveSecret(ctx: Ctx, keyId: Id<'key'>): Promise<string | undefined> {
  const { secret, hash, hint } = newSecret();
  return (await setSecret(ctx, keyId, { hash, hint })) ? secret : undefined;
}

async function addKey(
  ctx: Ctx,
  input: In<typeof identity.createOrganizationKey>,
  organizationId: Id<'org'> | null,
): Promise<KeyWithSecret> {
  if (input.expiresAt && input.expiresAt <= ctx.now)
    throw new ValidationError([{ field: 'expiresAt', code: 'identity.expiry_past' }]);
  // Otherwise several requests at once would all count the keys before any of them added one.
  if (organizationId) await lockUntilEnd(ctx, `api keys ${organizationId}`);
  if (organizationId && (await countApiKeys(ctx, organizationId)) >= maxOrganizationKeys)
    throw domainError(identityErrors, 'identity.too_many_keys', { most: maxOrganizationKeys });
  const scope = input.scope ?? 'metering';
  const limits = limitsOf(ctx, scope, input);
  const { secret, hash, hint } = newSecret();
  const keyId = await insertApiKey(ctx, {
    name: input.name,
    scope,
    ...limits,
    organizationId,
    secretHash: hash,
    hint,
    createdBy: person(ctx).userId,
    expiresAt: input.expiresAt ?? null,
  });
  ctx.audit('identity.createApiKey', keyId, {
    name: input.name,
    scope,
    ...(scope === 'permissions' && limits),
    organizationId,
    expiresAt: input.expiresAt?.toISOString() ?? null,
  });
  await ctx.emit(keyChanged, {
    keyId,
    name: input.name,
    organizationId,
    what: 'key_made',
    by: person(ctx).name,
  });
  const made = await apiKeyOf(ctx, organizationId ?? 'anybody', keyId);
  return { key: required(made, 'the key that was just made').key, secret };
}

type KeyLimits = { permissions: Permission[]; irreversible: boolean; addresses: string[] };

/**
 * The permissions and networks of a new key. Such a key outlives the session that created it, so the person
 * must prove their identity. Throws {@link ValidationError} for invalid fields.
 */
function limitsOf(ctx: Ctx, scope: KeyKind, input: In<typeof identity.createOrganizationKey>): KeyLimits {
  const { permissions = [], irreversible = false, addresses = [] } = input;
  if (scope !== 'permissions') {
    if (permissions.length > 0 || irreversible || addresses.length > 0)
      throw new ValidationError([{ field: 'scope', code: 'identity.key_scope_has_none' }]);
    return { permissions: [], irreversible: false, addresses: [] };
  }
  assertProved(ctx);
  if (permissions.length === 0)
    throw new ValidationError([{ field: 'permissions', code: 'identity.key_needs_permission' }]);
  const networks = addresses.map(networkOf);
  const wrong = addresses.find((_address, index) => networks[index] === undefined);
  if (wrong !== undefined)
    throw new ValidationError([
      { field: 'addresses', code: 'identity.key_address_wrong', params: { address: wrong } },
    ]);
  return {
    permissions: everyPermission.filter((one) => permissions.includes(one)),
    irreversible,
    addresses: [...new Set(networks.filter((network) => network !== undefined))],
  };
}

/** Throws 403 when the person's last proof of identity is not fresh. */
function assertProved(ctx: Ctx): void {
  if (person(ctx).provedAt.getTime() < ctx.now.getTime() - freshMinutes * 60_000)
    throw new DomainError('platform.fresh_sign_in', 403, { minutes: freshMinutes });
}

/** Rotates the secret of any key. */
export async function rotateApiKey(
  ctx: Ctx,
  input: In<typeof identity.rotateApiKey>,
): Promise<KeyWithSecret> {
  return rotate(ctx, 'anybody', input);
}

/** Rotates the secret of a key of the caller's organization. */
export async function rotateOrganizationKey(
  ctx: Ctx,
  input: In<typeof identity.rotateOrganizationKey>,
): Promise<KeyWithSecret> {
  return rotate(ctx, tenant(ctx), input);
}

/**
 * Rotates a secret. The secret before the last rotation ends now even if its overlap is not over, so that at
 * most two secrets work.
 */
async function rotate(
  ctx: Ctx,
  owner: KeyOwner,
  input: In<typeof identity.rotateApiKey>,
): Promise<KeyWithSecret> {
  const found = await apiKeyOf(ctx, owner, input.keyId);
  if (!found) throw domainError(identityErrors, 'identity.key_not_found');
  // With the new secret, the caller could act as that person.
  if (found.key.scope === 'permissions') {
    if (found.key.personId !== person(ctx).userId) throw domainError(identityErrors, 'identity.key_of_other');
    assertProved(ctx);
  }
  if (found.key.expiresAt && found.key.expiresAt <= ctx.now)
    throw domainError(identityErrors, 'identity.key_ran_out');
  const overlapHours = input.overlapHours ?? usualOverlapHours;
  const previousUntil = overlapHours === 0 ? null : new Date(ctx.now.getTime() + overlapHours * hourMs);
  const { secret, hash, hint } = newSecret();
  if (!(await replaceSecret(ctx, input.keyId, { from: found.secretHash, to: hash, hint, previousUntil })))
    throw domainError(identityErrors, 'identity.key_changed');
  ctx.audit('identity.rotateApiKey', input.keyId, { overlapHours, organizationId: found.key.organizationId });
  await ctx.emit(keyChanged, {
    keyId: input.keyId,
    name: found.key.name,
    organizationId: found.key.organizationId,
    what: 'key_rotated',
    by: person(ctx).name,
  });
  return { key: { ...found.key, hint, rotatedAt: ctx.now, previousUntil }, secret };
}

/** Revokes any key: its next call is rejected. */
export async function revokeApiKey(ctx: Ctx, input: In<typeof identity.revokeApiKey>): Promise<null> {
  return revoke(ctx, 'anybody', input.keyId);
}

/** Revokes a key of the caller's organization: its next call is rejected. */
export async function revokeOrganizationKey(
  ctx: Ctx,
  input: In<typeof identity.revokeOrganizationKey>,
): Promise<null> {
  return revoke(ctx, tenant(ctx), input.keyId);
}

/** Revokes the key with which the caller calls. */
export async function endOwnKey(ctx: Ctx): Promise<void> {
  const { key } = person(ctx);
  if (key) await revoke(ctx, 'anybody', key.keyId);
}

async function revoke(ctx: Ctx, owner: KeyOwner, keyId: Id<'key'>): Promise<null> {
  const revoked = await revokeKey(ctx, owner, keyId);
  if (!revoked) throw domainError(identityErrors, 'identity.key_not_found');
  await ctx.emit(keyChanged, { keyId, ...revoked, what: 'key_revoked', by: person(ctx).name });
  // The key's open connections are closed.
  ctx.publish(`key/${keyId}`, { kind: 'key', ended: keyId });
  ctx.audit('identity.revokeApiKey', keyId);
  return null;
}
