// Turns a provider's accepted answer into a session: finds or creates the account, and derives its role from
// the person's groups.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Role } from '#kernel/roles.ts';
import * as z from 'zod/mini';
import { email } from '#kernel/shape.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import { addUser, userById, userToSignIn } from '#features/access/identity/server/index.ts';
import { domainOf, roleOfGroups, type GivenRole } from '#features/access/providers/rules.ts';
import {
  hasVerified,
  providerById,
  storeResult,
  type Provider,
} from '#features/access/providers/server/index.ts';
import { federationErrors, type federation } from '../contract.ts';
import { browserCookie } from './company-start.ts';
import { follow } from './members.ts';
import { askForProof, openIdentity, unitOptions, type Outcome } from './open-identity.ts';
import { allowAdminSetting } from './settings.ts';
import { findIdentity, insertIdentity, type Upstream } from './store.ts';
import { takeTicket, type CompanyTicket } from './store-company.ts';

/** The groups of a person whose account the provider provisions; undefined for others. */
export type ProvisionedGroups = (
  ctx: Ctx,
  providerId: string,
  userId: string,
) => Promise<readonly string[] | undefined>;

/** Creates the operation that exchanges a ticket for a session. */
export function completeCompanySignInBy(provisionedGroups: ProvisionedGroups) {
  return async (
    ctx: Ctx,
    input: In<typeof federation.completeCompanySignIn>,
    reply: Reply,
  ): Promise<Out<typeof federation.completeCompanySignIn>> => {
    const outcome = await unitOfWork(ctx.app, unitOptions(ctx), async (own) => {
      const browser = sha256(reply.cookie(browserCookie) ?? '');
      const ticket = await takeTicket(own, sha256(input.ticket), browser);
      const provider = ticket && (await providerById(own.db, ticket.providerId));
      if (!ticket || !provider?.isActive) return refusedAs(own, 'federation.answer_unasked');
      const entered = await enter(own, provider, ticket, provisionedGroups, reply);
      return { ...entered, returnTo: ticket.returnTo };
    });
    if ('errorCode' in outcome) throw domainError(federationErrors, outcome.errorCode);
    return { ...outcome.signedIn, redirectUrl: 'returnTo' in outcome ? outcome.returnTo : '/' };
  };
}

async function enter(
  ctx: Ctx,
  provider: Provider,
  ticket: CompanyTicket,
  provisionedGroups: ProvisionedGroups,
  reply: Reply,
): Promise<Outcome> {
  const upstream = upstreamOf(provider, ticket);
  await lockUntilEnd(ctx, `external ${upstream.issuer} ${upstream.subject}`);
  const identity = await findIdentity(ctx.db, upstream);
  const known = identity
    ? required(await userById(ctx.db, identity.userId), 'an identity has a user')
    : upstream.email === ''
      ? undefined
      : (await userToSignIn(ctx.db, upstream.email))?.user;
  const provisioned = known && (await provisionedGroups(ctx, provider.id, known.id));
  const given = roleOfGroups(
    [...ticket.groups, ...(provisioned ?? [])],
    provider.groups,
    provider.defaultRole,
  );
  await remember(ctx, provider, given?.role);
  if (given === undefined) return refusedAs(ctx, 'federation.group_refused');
  if (given.role === 'Admin' && !(await ctx.setting(allowAdminSetting)))
    return refusedAs(ctx, 'federation.role_refused');
  if (identity && known) {
    // A person of another organization linked the account with their password: this provider must not change
    // their role.
    const isTheirs = identity.isManaged || known.organizationId === provider.organizationId;
    if (isTheirs && known.status === 'active') await follow(ctx, known, given, provider.organizationId);
    return openIdentity(ctx, 'company', identity, reply);
  }
  // A provider is trusted only for addresses in domains that it has verified.
  if (upstream.email === '') return refusedAs(ctx, 'federation.email_unverified');
  if (!(await hasVerified(ctx.db, provider.id, domainOf(upstream.email))))
    return refusedAs(ctx, 'federation.address_refused');
  if (known && provisioned === undefined) return askForProof(ctx, upstream, known.id, reply);
  if (known?.status === 'active') await follow(ctx, known, given, provider.organizationId);
  const userId = known?.id ?? (await addColleague(ctx, provider, upstream, ticket.name, given));
  await insertIdentity(ctx, upstream, userId, { isManaged: true, isUsed: false });
  const made = required(await findIdentity(ctx.db, upstream), 'the identity that was just made');
  return openIdentity(ctx, 'company', made, reply);
}

/** Creates the account at a person's first sign-in. */
async function addColleague(
  ctx: Ctx,
  provider: Provider,
  upstream: Upstream,
  name: string,
  { role, customRoleId }: GivenRole,
): Promise<string> {
  const user = await addUser(ctx, {
    account: upstream.email,
    name: name.trim() || (upstream.email.split('@')[0] ?? upstream.email),
    phone: '',
    role,
    organizationId: provider.organizationId,
    passwordHash: null,
    language: ctx.language,
    customRoleId,
  });
  ctx.audit('federation.register', user.id, {
    source: 'company',
    issuer: upstream.issuer,
    role,
    customRoleId: customRoleId ?? undefined,
    organizationId: provider.organizationId,
  });
  return user.id;
}

/**
 * The issuer for a provider's people. Not the entity id, which anybody could enter for a provider of their
 * own.
 */
export const companyIssuer = (providerId: string): string => `company:${providerId}`;

/** The external identity of a person. */
function upstreamOf(provider: Provider, ticket: CompanyTicket): Upstream {
  const read = z.safeParse(email, ticket.email);
  return {
    source: 'company',
    issuer: companyIssuer(provider.id),
    subject: ticket.subject,
    email: read.success ? normalAccount(read.data) : '',
  };
}

async function remember(ctx: Ctx, provider: Provider, role: Role | undefined): Promise<void> {
  await storeResult(ctx, provider.id, {
    at: ctx.now.toISOString(),
    isTest: false,
    problem: role === undefined ? 'federation.group_refused' : null,
    detail: '',
    // The audit log records whose sign-in it was.
    email: '',
    name: '',
    groups: [],
    role: role ?? null,
  });
}

function refusedAs(ctx: Ctx, errorCode: keyof typeof federationErrors): Outcome {
  ctx.audit('federation.refused', undefined, { source: 'company', code: errorCode });
  return { errorCode };
}
