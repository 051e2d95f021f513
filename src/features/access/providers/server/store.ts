// SQL of identity providers, their mail domains and the roles of their groups.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { GroupRole, LastResult, providerKinds } from '../contract.ts';

/** A provider as stored, with its groups. */
export type Provider = {
  readonly id: Id<'idp'>;
  readonly kind: (typeof providerKinds)[number];
  readonly name: string;
  readonly organizationId: Id<'org'> | null;
  readonly organization: string | null;
  readonly isActive: boolean;
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificates: readonly string[];
  readonly clientId: string;
  readonly clientSecret: Buffer | null;
  readonly allowsUnsolicited: boolean;
  readonly mustUse: boolean;
  readonly defaultRole: Role | null;
  readonly emailAttribute: string;
  readonly nameAttribute: string;
  readonly groupsAttribute: string;
  readonly groups: readonly GroupRole[];
  readonly lastResult: (Omit<LastResult, 'at'> & { readonly at: string }) | null;
  readonly scimTokenMadeAt: Date | null;
  readonly scimUsedAt: Date | null;
  readonly createdAt: Date;
};
/** The settings of a provider. */
export type ProviderSettings = Omit<
  Provider,
  | 'id'
  | 'clientSecret'
  | 'kind'
  | 'organization'
  | 'organizationId'
  | 'lastResult'
  | 'scimTokenMadeAt'
  | 'scimUsedAt'
  | 'createdAt'
>;

export type DomainRow = {
  readonly id: Id<'mdm'>;
  readonly providerId: Id<'idp'>;
  readonly domain: string;
  readonly challenge: string;
  readonly verifiedAt: Date | null;
};

const columns = sql<Provider>`p.id, p.kind, p.name, p.organization_id as "organizationId", o.name as organization, p.is_active as "isActive",
  p.entity_id as "entityId", p.sso_url as "ssoUrl", p.certificates, p.client_id as "clientId", p.client_secret as "clientSecret", p.allows_unsolicited as "allowsUnsolicited", p.must_use as "mustUse",
  p.default_role as "defaultRole", p.email_attribute as "emailAttribute", p.name_attribute as "nameAttribute", p.groups_attribute as "groupsAttribute",
  coalesce((select json_agg(json_build_object('group', g.group_name, 'role', g.role, 'customRoleId', g.custom_role_id) order by g.position) from identity_provider_group g where g.provider_id = p.id), '[]'::json) as groups,
  p.last_result as "lastResult", p.scim_token_made_at as "scimTokenMadeAt", p.scim_used_at as "scimUsedAt", p.created_at as "createdAt"`;
const tables = sql`identity_provider p left join organization o on o.id = p.organization_id`;

/** Returns all providers, sorted by name. */
export async function allProviders(db: Kysely<unknown>): Promise<Provider[]> {
  const { rows } = await sql<Provider>`select ${columns} from ${tables} order by p.name, p.id`.execute(db);
  return rows;
}

/** Returns a provider, enabled or not. */
export async function providerById(db: Kysely<unknown>, providerId: string): Promise<Provider | undefined> {
  const { rows } = await sql<Provider>`select ${columns} from ${tables} where p.id = ${providerId}`.execute(
    db,
  );
  return rows[0];
}

/** Returns the active provider that has verified an address's domain. */
export async function providerOfDomain(db: Kysely<unknown>, domain: string): Promise<Provider | undefined> {
  const { rows } =
    await sql<Provider>`select ${columns} from mail_domain d join identity_provider p on p.id = d.provider_id left join organization o on o.id = p.organization_id
    where d.domain = ${domain} and d.verified_at is not null and p.is_active`.execute(db);
  return rows[0];
}

/** Whether addresses in a domain can sign in only through their provider. */
export async function isProviderRequired(db: Kysely<unknown>, domain: string): Promise<boolean> {
  const { rows } = await sql`--hot provider-required
    select 1 from mail_domain d join identity_provider p on p.id = d.provider_id
    where d.domain = ${domain} and d.verified_at is not null and p.is_active and p.must_use`.execute(db);
  return rows.length > 0;
}

/** Whether anybody can sign in through a provider found by their address's domain. */
export async function hasCompanySignIn(db: Kysely<unknown>): Promise<boolean> {
  const { rows } =
    await sql`select 1 from mail_domain d join identity_provider p on p.id = d.provider_id where d.verified_at is not null and p.is_active limit 1`.execute(
      db,
    );
  return rows.length > 0;
}

/** Whether a provider has verified a domain. */
export async function hasVerified(db: Kysely<unknown>, providerId: string, domain: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from mail_domain where provider_id = ${providerId} and domain = ${domain} and verified_at is not null`.execute(
      db,
    );
  return rows.length > 0;
}

/** Returns the mail domains of providers, sorted by name. */
export async function domainsOf(db: Kysely<unknown>, providerIds: readonly string[]): Promise<DomainRow[]> {
  const { rows } =
    await sql<DomainRow>`select id, provider_id as "providerId", domain, challenge, verified_at as "verifiedAt" from mail_domain
    where provider_id = any(${[...providerIds]}::text[]) order by domain, id`.execute(db);
  return rows;
}

/** Adds a provider; undefined when its name is taken. */
export async function insertProvider(
  ctx: Ctx,
  kind: Provider['kind'],
  organizationId: string | null,
  settings: ProviderSettings,
): Promise<Id<'idp'> | undefined> {
  const { rows } = await sql<{
    id: Id<'idp'>;
  }>`insert into identity_provider (id, kind, name, organization_id, is_active, entity_id, sso_url, certificates, client_id, allows_unsolicited, must_use, default_role, email_attribute, name_attribute, groups_attribute, created_at)
    values (${ctx.newId('idp')}, ${kind}, ${settings.name}, ${organizationId}, ${settings.isActive}, ${settings.entityId}, ${settings.ssoUrl}, ${[...settings.certificates]}::text[],
      ${settings.clientId}, ${settings.allowsUnsolicited}, ${settings.mustUse}, ${settings.defaultRole}, ${settings.emailAttribute}, ${settings.nameAttribute}, ${settings.groupsAttribute}, ${ctx.now})
    on conflict (name) do nothing returning id`.execute(ctx.db);
  const id = rows[0]?.id;
  if (id) await replaceGroups(ctx, id, settings.groups);
  return id;
}

/** Changes a provider; false when another one has its name. */
export async function changeProvider(
  ctx: Ctx,
  providerId: string,
  settings: ProviderSettings,
): Promise<boolean> {
  const { rows } =
    await sql`update identity_provider p set name = ${settings.name}, is_active = ${settings.isActive}, entity_id = ${settings.entityId}, sso_url = ${settings.ssoUrl},
      certificates = ${[...settings.certificates]}::text[], client_id = ${settings.clientId}, allows_unsolicited = ${settings.allowsUnsolicited}, must_use = ${settings.mustUse}, default_role = ${settings.defaultRole},
      email_attribute = ${settings.emailAttribute}, name_attribute = ${settings.nameAttribute}, groups_attribute = ${settings.groupsAttribute}
    where p.id = ${providerId} and not exists (select 1 from identity_provider o where o.name = ${settings.name} and o.id <> p.id) returning 1`.execute(
      ctx.db,
    );
  if (rows.length === 0) return false;
  await replaceGroups(ctx, providerId, settings.groups);
  return true;
}

async function replaceGroups(ctx: Ctx, providerId: string, groups: readonly GroupRole[]): Promise<void> {
  await sql`delete from identity_provider_group where provider_id = ${providerId}`.execute(ctx.db);
  await sql`insert into identity_provider_group (provider_id, group_name, role, custom_role_id, position)
    select ${providerId}, g.name, g.role, g.custom_role_id, g.position from unnest(${groups.map(({ group }) => group)}::text[], ${groups.map(({ role }) => role)}::text[], ${groups.map(({ customRoleId = null }) => customRoleId)}::text[]) with ordinality as g (name, role, custom_role_id, position)`.execute(
    ctx.db,
  );
}

/** Deletes a provider with its domains and groups; false when it does not exist. */
export async function deleteProviderRow(ctx: Ctx, providerId: string): Promise<boolean> {
  const { rows } = await sql`delete from identity_provider where id = ${providerId} returning id`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Stores the encrypted secret of our client at an OpenID provider, or deletes it. */
export async function setClientSecret(ctx: Ctx, providerId: string, sealed: Buffer | null): Promise<void> {
  await sql`update identity_provider set client_secret = ${sealed} where id = ${providerId}`.execute(ctx.db);
}

/** Stores the result of the last sign-in through a provider. */
export async function storeResult(
  ctx: Ctx,
  providerId: string,
  result: Provider['lastResult'],
): Promise<void> {
  await sql`update identity_provider set last_result = ${JSON.stringify(result)}::jsonb where id = ${providerId}`.execute(
    ctx.db,
  );
}

/** Adds a domain to a provider; false when it has the domain already. */
export async function insertDomain(
  ctx: Ctx,
  providerId: string,
  domain: string,
  challenge: string,
): Promise<boolean> {
  const { rows } = await sql`insert into mail_domain (id, provider_id, domain, challenge, created_at)
    values (${ctx.newId('mdm')}, ${providerId}, ${domain}, ${challenge}, ${ctx.now}) on conflict (provider_id, domain) do nothing returning id`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Marks a domain as verified; false when another provider has verified it. */
export async function markDomainVerified(ctx: Ctx, domain: DomainRow): Promise<boolean> {
  const { rows } =
    await sql`update mail_domain d set verified_at = coalesce(verified_at, ${ctx.now}) where d.id = ${domain.id}
    and not exists (select 1 from mail_domain o where o.domain = d.domain and o.id <> d.id and o.verified_at is not null) returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Removes a domain from a provider; false when it has no domain with this id. */
export async function deleteDomain(ctx: Ctx, providerId: string, domainId: string): Promise<boolean> {
  const { rows } =
    await sql`delete from mail_domain where id = ${domainId} and provider_id = ${providerId} returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores the digest of a SCIM token, or deletes it. */
export async function setScimToken(ctx: Ctx, providerId: string, hash: Buffer | null): Promise<void> {
  await sql`update identity_provider set scim_token_hash = ${hash}, scim_token_made_at = ${hash && ctx.now}, scim_used_at = null where id = ${providerId}`.execute(
    ctx.db,
  );
}

/** Whether a digest is that of the provider's SCIM token. */
export async function isScimToken(db: Kysely<unknown>, providerId: string, hash: Buffer): Promise<boolean> {
  const { rows } =
    await sql`select 1 from identity_provider where id = ${providerId} and scim_token_hash = ${hash} and is_active`.execute(
      db,
    );
  return rows.length > 0;
}

/** Stores when a provider last used its token, to the minute. */
export async function markScimUsed(ctx: Ctx, providerId: string): Promise<void> {
  await sql`update identity_provider set scim_used_at = ${ctx.now} where id = ${providerId} and (scim_used_at is null or scim_used_at < ${new Date(ctx.now.getTime() - 60_000)})`.execute(
    ctx.db,
  );
}
