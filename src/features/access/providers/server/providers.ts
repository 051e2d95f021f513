// Admins create and change identity providers. Every change is audited.
import type { In, Out } from '#kernel/contract.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import { isSafeAddress } from '#platform/server/config.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Id } from '#kernel/ids.ts';
import { customRoleFor, organizationById, randomSecret } from '#features/access/identity/server/index.ts';
import { providersErrors, type IdentityProvider, type ProviderKind, type providers } from '../contract.ts';
import { proofRecord, repeatedGroup, rolesOf } from '../rules.ts';
import { readCertificate } from './certificates.ts';
import { providerChanged } from './provider-changed.ts';
import {
  allProviders,
  changeProvider,
  deleteProviderRow,
  domainsOf,
  insertProvider,
  providerById,
  setClientSecret,
  setScimToken,
  type DomainRow,
  type Provider,
  type ProviderSettings,
} from './store.ts';

/** The values that the provider's administrator enters there. */
export function consoleAddresses(
  app: App,
  { id: providerId, kind }: Pick<Provider, 'id' | 'kind'>,
): IdentityProvider['ours'] {
  const base = `${app.address()}/api/auth/${kind}/${providerId}`;
  return {
    entityId: `${base}/metadata`,
    metadataUrl: `${base}/metadata`,
    acsUrl: `${base}/${kind === 'saml' ? 'acs' : 'callback'}`,
    scimUrl: `${app.address()}/scim/v2/${providerId}`,
  };
}

function viewOf(app: App, provider: Provider, domains: readonly DomainRow[]): IdentityProvider {
  const { lastResult } = provider;
  return {
    id: provider.id,
    kind: provider.kind,
    name: provider.name,
    organizationId: provider.organizationId,
    organization: provider.organization,
    isActive: provider.isActive,
    entityId: provider.entityId,
    ssoUrl: provider.ssoUrl,
    certificates: provider.certificates.map(readCertificate),
    clientId: provider.clientId,
    hasClientSecret: provider.clientSecret !== null,
    allowsUnsolicited: provider.allowsUnsolicited,
    mustUse: provider.mustUse,
    defaultRole: provider.defaultRole,
    emailAttribute: provider.emailAttribute,
    nameAttribute: provider.nameAttribute,
    groupsAttribute: provider.groupsAttribute,
    groups: [...provider.groups],
    domains: domains
      .filter(({ providerId }) => providerId === provider.id)
      .map(({ id, domain, challenge, verifiedAt }) => {
        const record = proofRecord(domain, challenge);
        return { id, domain, recordName: record.name, recordValue: record.value, verifiedAt };
      }),
    lastResult: lastResult && { ...lastResult, at: new Date(lastResult.at) },
    scimTokenMadeAt: provider.scimTokenMadeAt,
    scimUsedAt: provider.scimUsedAt,
    ours: consoleAddresses(app, provider),
    createdAt: provider.createdAt,
  };
}

/** Returns a provider, enabled or not. @throws DomainError `providers.not_found` */
export async function requireProvider(ctx: Ctx, providerId: string): Promise<Provider> {
  const provider = await providerById(ctx.db, providerId);
  if (!provider) throw domainError(providersErrors, 'providers.not_found');
  return provider;
}

/** A provider as shown to Admins. */
export async function shownProvider(ctx: Ctx, providerId: string): Promise<IdentityProvider> {
  const provider = await requireProvider(ctx, providerId);
  return viewOf(ctx.app, provider, await domainsOf(ctx.db, [provider.id]));
}

export async function listProviders(ctx: Ctx): Promise<Out<typeof providers.listProviders>> {
  const found = await allProviders(ctx.db);
  const domains = await domainsOf(
    ctx.db,
    found.map(({ id }) => id),
  );
  return { items: found.map((provider) => viewOf(ctx.app, provider, domains)) };
}

type Given = Omit<In<typeof providers.updateProvider>, 'providerId' | 'clientSecret'>;

/** Checks that the fields required by a kind are filled; fields that it does not use stay empty. */
function assertFitsKind(kind: ProviderKind, given: Given): void {
  const missing =
    kind === 'oidc'
      ? [given.clientId === '' && 'clientId']
      : [given.ssoUrl === '' && 'ssoUrl', given.certificates.length === 0 && 'certificates'];
  const fields = missing.filter((field) => field !== false);
  if (fields.length > 0)
    throw new ValidationError(fields.map((field) => ({ field, code: 'platform.field_required' })));
  const [address, field] = kind === 'oidc' ? [given.entityId, 'entityId'] : [given.ssoUrl, 'ssoUrl'];
  if (!isSafeAddress(address)) throw domainError(providersErrors, 'providers.address_unsafe', {}, [field]);
}

/**
 * Checks that each custom role in the table is based on its built-in role and available to the owner; errors
 * are at the field of the table.
 */
async function assertCustomRoles(
  ctx: Ctx,
  groups: Given['groups'],
  organizationId: Id<'org'> | null,
): Promise<void> {
  for (const { role, customRoleId } of groups)
    if (customRoleId) await customRoleFor(ctx, customRoleId, role, organizationId);
}

/** Checks the settings that an Admin entered, and reads the certificates. */
function settingsOf(kind: ProviderKind, given: Given, organizationId: string | null): ProviderSettings {
  assertFitsKind(kind, given);
  const repeated = repeatedGroup(given.groups);
  if (repeated !== undefined)
    throw domainError(providersErrors, 'providers.group_twice', { group: repeated }, ['groups']);
  const allowed = rolesOf(organizationId);
  const field = given.groups.some(({ role }) => !allowed.includes(role)) ? 'groups' : 'defaultRole';
  if (field === 'groups' || (given.defaultRole !== null && !allowed.includes(given.defaultRole)))
    throw domainError(
      providersErrors,
      organizationId === null ? 'providers.role_platform' : 'providers.role_organization',
      {},
      [field],
    );
  return {
    name: given.name,
    isActive: given.isActive,
    entityId: given.entityId,
    ssoUrl: kind === 'saml' ? given.ssoUrl : '',
    certificates:
      kind === 'saml' ? [...new Set(given.certificates.map((each) => readCertificate(each).pem))] : [],
    clientId: kind === 'oidc' ? given.clientId : '',
    allowsUnsolicited: kind === 'saml' && given.allowsUnsolicited,
    mustUse: given.mustUse,
    defaultRole: given.defaultRole,
    emailAttribute: given.emailAttribute,
    nameAttribute: given.nameAttribute,
    groupsAttribute: given.groupsAttribute,
    groups: given.groups,
  };
}

export async function createProvider(
  ctx: Ctx,
  { kind, organizationId, clientSecret, ...given }: In<typeof providers.createProvider>,
): Promise<IdentityProvider> {
  if (organizationId !== null && !(await organizationById(ctx.db, organizationId)))
    throw domainError(providersErrors, 'providers.organization_unknown', {}, ['organizationId']);
  const settings = settingsOf(kind, given, organizationId);
  await assertCustomRoles(ctx, given.groups, organizationId);
  // Without a verified domain nobody could sign in at all.
  if (settings.mustUse)
    throw domainError(providersErrors, 'providers.must_use_needs_domain', {}, ['mustUse']);
  const providerId = await insertProvider(ctx, kind, organizationId, settings);
  if (!providerId) throw domainError(providersErrors, 'providers.name_taken', {}, ['name']);
  await storeClientSecret(ctx, providerId, kind, clientSecret);
  ctx.audit('providers.createProvider', providerId, { organizationId, ...summaryOf(settings) });
  return shownProvider(ctx, providerId);
}

export async function updateProvider(
  ctx: Ctx,
  { providerId, clientSecret, ...given }: In<typeof providers.updateProvider>,
): Promise<IdentityProvider> {
  const before = await requireProvider(ctx, providerId);
  const settings = settingsOf(before.kind, given, before.organizationId);
  await assertCustomRoles(ctx, given.groups, before.organizationId);
  if (settings.mustUse) {
    const domains = await domainsOf(ctx.db, [providerId]);
    if (domains.every(({ verifiedAt }) => verifiedAt === null))
      throw domainError(providersErrors, 'providers.must_use_needs_domain', {}, ['mustUse']);
  }
  if (!(await changeProvider(ctx, providerId, settings)))
    throw domainError(providersErrors, 'providers.name_taken', {}, ['name']);
  await storeClientSecret(ctx, providerId, before.kind, clientSecret);
  ctx.audit('providers.updateProvider', providerId, {
    before: summaryOf(before),
    after: summaryOf(settings),
  });
  await ctx.emit(providerChanged, { providerId });
  return shownProvider(ctx, providerId);
}

const secretPurpose = 'client secret of an identity provider';

/** Stores a new secret encrypted; an empty one deletes the stored one. */
async function storeClientSecret(
  ctx: Ctx,
  providerId: string,
  kind: ProviderKind,
  secret: string | null,
): Promise<void> {
  if (kind !== 'oidc' || secret === null) return;
  await setClientSecret(
    ctx,
    providerId,
    secret === '' ? null : seal(ctx.app, secretPurpose, providerId, secret),
  );
}

/** The secret of our client at an OpenID provider; undefined for a public client. */
export function clientSecretOf(app: App, provider: Provider): string | undefined {
  return provider.clientSecret === null
    ? undefined
    : unseal(app, secretPurpose, provider.id, provider.clientSecret);
}

/** The part of a provider that the audit log keeps: what determines who can sign in. */
const summaryOf = (settings: ProviderSettings): Record<string, unknown> => ({
  name: settings.name,
  isActive: settings.isActive,
  entityId: settings.entityId,
  ssoUrl: settings.ssoUrl,
  clientId: settings.clientId,
  certificates: settings.certificates.map((pem) => readCertificate(pem).fingerprint),
  allowsUnsolicited: settings.allowsUnsolicited,
  mustUse: settings.mustUse,
  defaultRole: settings.defaultRole,
  groups: settings.groups,
});

export async function deleteProvider(
  ctx: Ctx,
  { providerId }: In<typeof providers.deleteProvider>,
): Promise<null> {
  const { name } = await requireProvider(ctx, providerId);
  await deleteProviderRow(ctx, providerId);
  ctx.audit('providers.deleteProvider', providerId, { name });
  return null;
}

export async function makeScimToken(
  ctx: Ctx,
  { providerId }: In<typeof providers.makeScimToken>,
): Promise<Out<typeof providers.makeScimToken>> {
  await requireProvider(ctx, providerId);
  const token = `skytally_scim_${randomSecret()}`;
  await setScimToken(ctx, providerId, sha256(token));
  ctx.audit('providers.makeScimToken', providerId);
  return { token };
}

export async function removeScimToken(
  ctx: Ctx,
  { providerId }: In<typeof providers.removeScimToken>,
): Promise<null> {
  await requireProvider(ctx, providerId);
  await setScimToken(ctx, providerId, null);
  ctx.audit('providers.removeScimToken', providerId);
  return null;
}
