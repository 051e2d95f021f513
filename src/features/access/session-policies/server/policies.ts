// Reads and sets session policies. Nobody can lock themselves out with a policy that applies to them.
import type { In } from '#kernel/contract.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { isAddressIn, networkOf } from '#platform/server/security/address-list.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { applySessionPolicy, organizationById } from '#features/access/identity/server/index.ts';
import { identityErrors } from '#features/access/identity/contract.ts';
import { sessionPoliciesErrors, type SessionPolicy, type sessionPolicies } from '../contract.ts';
import { storedPolicy, storePolicy } from './store.ts';

type Policies = typeof sessionPolicies;
type Fields = In<Policies['setOwnPolicy']>;

async function policyOf(ctx: Ctx, organizationId: Id<'org'> | null, reply: Reply): Promise<SessionPolicy> {
  const stored = await storedPolicy(ctx, organizationId);
  const policy = {
    idleMinutes: null,
    sessionHours: null,
    networks: [],
    changedAt: null,
    changedBy: null,
    ...stored,
  };
  return {
    ...policy,
    ownAddress: reply.address,
    ownNetwork: policy.networks.find((network) => isAddressIn([network], reply.address)) ?? null,
  };
}

/**
 * Sets a policy; sessions that it ends are ended in every tab. `isOwn`: whether it applies to the caller's
 * own sessions.
 */
async function setPolicy(
  ctx: Ctx,
  { action, organizationId, isOwn }: { action: string; organizationId: Id<'org'> | null; isOwn: boolean },
  { idleMinutes, sessionHours, networks: typed }: Fields,
  reply: Reply,
): Promise<SessionPolicy> {
  const networks = [...new Set(typed.map(networkIn))];
  if (isOwn && networks.length > 0 && !isAddressIn(networks, reply.address))
    throw domainError(sessionPoliciesErrors, 'sessionpolicies.network_own', { address: reply.address }, [
      'networks',
    ]);
  await storePolicy(
    ctx,
    organizationId,
    { idleMinutes, sessionHours, networks },
    ctx.actor.kind === 'user' ? ctx.actor.userId : 'cli',
  );
  for (const { userId, sessionId } of await applySessionPolicy(ctx, organizationId))
    ctx.publish(`user/${userId}/sessions`, { kind: 'sessions', ended: sessionId });
  ctx.audit(action, organizationId ?? undefined, { idleMinutes, sessionHours, networks });
  return policyOf(ctx, organizationId, reply);
}

/** Normalizes a network. @throws ValidationError at the field, with the typed value */
function networkIn(typed: string): string {
  const network = networkOf(typed);
  if (network === undefined)
    throw new ValidationError([
      { field: 'networks', code: 'sessionpolicies.network_wrong', params: { address: typed } },
    ]);
  return network;
}

/** @throws identity.organization_not_found */
async function knownOrganization(ctx: Ctx, organizationId: Id<'org'>): Promise<Id<'org'>> {
  if (!(await organizationById(ctx.db, organizationId)))
    throw domainError(identityErrors, 'identity.organization_not_found');
  return organizationId;
}

export const getPlatformPolicy = (ctx: Ctx, _input: object, reply: Reply): Promise<SessionPolicy> =>
  policyOf(ctx, null, reply);
export const getOwnPolicy = (ctx: Ctx, _input: object, reply: Reply): Promise<SessionPolicy> =>
  policyOf(ctx, tenant(ctx), reply);
export const getPolicyFor = async (
  ctx: Ctx,
  { organizationId }: In<Policies['getPolicyFor']>,
  reply: Reply,
): Promise<SessionPolicy> => policyOf(ctx, await knownOrganization(ctx, organizationId), reply);

export const setPlatformPolicy = (ctx: Ctx, input: Fields, reply: Reply): Promise<SessionPolicy> =>
  setPolicy(
    ctx,
    { action: 'sessionpolicies.setPlatformPolicy', organizationId: null, isOwn: true },
    input,
    reply,
  );
export const setOwnPolicy = (ctx: Ctx, input: Fields, reply: Reply): Promise<SessionPolicy> =>
  setPolicy(
    ctx,
    { action: 'sessionpolicies.setOwnPolicy', organizationId: tenant(ctx), isOwn: true },
    input,
    reply,
  );
export async function setPolicyFor(
  ctx: Ctx,
  { organizationId, ...fields }: In<Policies['setPolicyFor']>,
  reply: Reply,
): Promise<SessionPolicy> {
  const whose = { organizationId: await knownOrganization(ctx, organizationId), isOwn: false };
  return setPolicy(ctx, { action: 'sessionpolicies.setPolicyFor', ...whose }, fields, reply);
}
