// SQL of users, organizations and sessions.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { type Language, type ContentLanguage } from '#kernel/language.ts';
import type { Role } from '#kernel/roles.ts';
import { dayOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  readTotal,
  rowsCounted,
  searchTotalCap,
  type List,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import { assignments } from '#platform/server/database/assignments.ts';
import type { In } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import type { identity, Organization, User } from '../contract.ts';
import { erasedAfter } from '../rules.ts';
import { requireAdminTwoFactor } from './settings.ts';

export type UserRow = {
  id: Id<'usr'>;
  account: string;
  name: string;
  phone: string;
  address: string;
  avatar: Id<'avt'> | null;
  role: Role;
  custom_role: User['customRole'];
  status: User['status'];
  organization_id: Id<'org'> | null;
  organization: string | null;
  member_level: string;
  language: Language;
  time_zone: string | null;
  two_factor: boolean;
  email_notifications: boolean;
  sms_notifications: boolean;
  created_at: Date;
  last_sign_in_at: Date | null;
  password_hash: string | null;
  deleted_at: Date | null;
  erased_at: Date | null;
};

/** The custom role of the person `u`, as lists and sessions present it. */
export const customRoleOf = sql<
  User['customRole']
>`(select json_build_object('id', r.id, 'name', r.name, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id)`;
const userColumns = sql<UserRow>`u.id, u.account, u.name, u.phone, u.address, a.id as avatar, u.role, ${customRoleOf} as custom_role, u.status, u.organization_id, o.name as organization, u.member_level, u.language,
  coalesce(o.time_zone, (select value #>> '{}' from setting where key = 'general.timeZone'), 'Asia/Taipei') as time_zone,
  u.two_factor, u.email_notifications, u.sms_notifications, u.created_at, u.last_sign_in_at, u.deleted_at, u.erased_at`;
const userTables = sql`app_user u left join organization o on o.id = u.organization_id left join avatar a on a.user_id = u.id`;

function toUser(row: UserRow): User {
  const facts = userFacts(row);
  return { ...facts, registeredOn: dayOf(row.created_at, facts.timeZone) };
}

/**
 * A user without the day of registration, which is slow to compute, for lists of a hundred thousand users
 * that do not show it.
 */
export function userFacts(row: UserRow): Omit<User, 'registeredOn'> {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    phone: row.phone,
    address: row.address,
    avatar: row.avatar,
    role: row.role,
    customRole: row.custom_role,
    status: row.status,
    organizationId: row.organization_id,
    organization: row.organization,
    memberLevel: row.member_level,
    language: row.language,
    timeZone: row.time_zone ?? 'Asia/Taipei',
    twoFactor: row.two_factor,
    emailNotifications: row.email_notifications,
    smsNotifications: row.sms_notifications,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
    erasedAfter: row.deleted_at && !row.erased_at ? erasedAfter(row.deleted_at) : null,
  };
}

/** Returns one user by id, even a deleted one, because histories show their names. */
export async function userById(db: Kysely<unknown>, userId: string): Promise<User | undefined> {
  const { rows } = await sql<UserRow>`--hot user-by-id
    select ${userColumns} from ${userTables} where u.id = ${userId}`.execute(db);
  return rows[0] && toUser(rows[0]);
}

/**
 * A user with the fields for sign-in. `mustEnrol`: the user lacks the second factor that the role requires.
 */
export type SignInUser = {
  readonly user: User;
  readonly passwordHash: string | null;
  readonly mustEnrol: boolean;
};
export type SignInRow = UserRow & { readonly must_enrol: boolean };

/**
 * The query for one user by account, for callers that combine it with others in one statement; {@link
 * readSignIn} reads its row.
 */
export function signInQuery(account: string): RawBuilder<SignInRow> {
  return sql<SignInRow>`select ${userColumns}, u.password_hash, u.role = 'Admin' and not u.two_factor and exists (select 1 from setting where key = ${requireAdminTwoFactor.key} and value = 'true'::jsonb) as must_enrol
    from ${userTables} where u.account = ${account}`;
}

/** Reads a row of {@link signInQuery}. */
export function readSignIn(row: SignInRow): SignInUser {
  return { user: toUser(row), passwordHash: row.password_hash, mustEnrol: row.must_enrol };
}

/** Returns one user by account, with the password hash. */
export async function userToSignIn(db: Kysely<unknown>, account: string): Promise<SignInUser | undefined> {
  const { rows } = await sql<SignInRow>`--hot user-to-sign-in\n ${signInQuery(account)}`.execute(db);
  return rows[0] && readSignIn(rows[0]);
}

/** The first active user of a role. */
export async function firstUserOf(ctx: Ctx, role: Role): Promise<User | undefined> {
  const { rows } =
    await sql<UserRow>`select ${userColumns} from ${userTables} where u.role = ${role} and u.status = 'active' order by u.id limit 1`.execute(
      ctx.db,
    );
  return rows[0] && toUser(rows[0]);
}

/** A user's password hash. */
export async function passwordHashOf(db: Kysely<unknown>, userId: string): Promise<string | null> {
  const { rows } = await sql<{
    password_hash: string | null;
  }>`select password_hash from app_user where id = ${userId}`.execute(db);
  return rows[0]?.password_hash ?? null;
}

export type NewUser = {
  account: string;
  name: string;
  phone: string;
  role: Role;
  organizationId: Id<'org'> | null;
  passwordHash: string | null;
  language: Language;
  customRoleId?: Id<'rol'> | null;
};

/** Adds a user; undefined when the account is taken. */
export async function insertUser(ctx: Ctx, user: NewUser): Promise<Id<'usr'> | undefined> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`insert into app_user (id, account, name, phone, role, organization_id, password_hash, language, custom_role_id, created_at)
    values (${ctx.newId('usr')}, ${user.account}, ${user.name}, ${user.phone}, ${user.role}, ${user.organizationId}, ${user.passwordHash}, ${user.language}, ${user.customRoleId ?? null}, ${ctx.now})
    on conflict (account) do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** Changes the given columns of a user. */
export async function updateUserRow(
  ctx: Ctx,
  userId: string,
  change: Partial<{
    name: string;
    phone: string;
    address: string;
    language: Language;
    role: Role;
    custom_role_id: string | null;
    status: User['status'];
    organization_id: string | null;
    email_notifications: boolean;
    sms_notifications: boolean;
    password_hash: string | null;
    two_factor: boolean;
    last_sign_in_at: Date;
  }>,
): Promise<void> {
  const set = assignments(change);
  if (set) await sql`update app_user set ${set} where id = ${userId}`.execute(ctx.db);
}

/** Returns a custom role, locked against deletion until the transaction ends. */
export async function customRoleRow(
  ctx: Ctx,
  customRoleId: string,
): Promise<{ name: string; baseRole: Role; organizationId: Id<'org'> | null } | undefined> {
  const { rows } = await sql<{ name: string; baseRole: Role; organizationId: Id<'org'> | null }>`
    select name, base_role as "baseRole", organization_id as "organizationId" from custom_role where id = ${customRoleId} for key share`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Counts the active Admins without a custom role, and locks them so that two transactions cannot both remove
 * the last one.
 */
export async function countActiveAdmins(ctx: Ctx): Promise<number> {
  const { rows } =
    await sql`select id from app_user where role = 'Admin' and custom_role_id is null and status = 'active' order by id for no key update`.execute(
      ctx.db,
    );
  return rows.length;
}

/** Ids of the active Admins. */
export async function activeAdmins(ctx: Ctx): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`select id from app_user where role = 'Admin' and status = 'active' order by id`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Whether an Admin was ever created. */
export async function hasAdmin(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from app_user where role = 'Admin' limit 1`.execute(db);
  return rows.length > 0;
}

/** The columns by which a list of users can be sorted. */
const userOrder: ListOrder = {
  by: {
    createdAt: { expression: sql`u.created_at`, cast: 'timestamptz' },
    name: { expression: sql`u.name`, cast: 'text' },
    account: { expression: sql`u.account`, cast: 'text' },
  },
  usual: '-createdAt',
  id: sql`u.id`,
};

export type UserFilter = Pick<
  In<typeof identity.listUsers>,
  'q' | 'role' | 'status' | 'organizationId' | 'customRoleId'
>;

/** Trigram indexes cannot find shorter texts. */
const shortestIndexed = 3;

/** Users whose name, account or organization contains a text. */
function usersFound(search: string): RawBuilder<unknown> {
  const pattern = containsPattern(search);
  const own = sql`s.name || E'\n' || s.account ilike ${pattern}`;
  const organizations = sql`select o.id from organization o where o.name ilike ${pattern}`;
  // A short text matches many names, so scanning the list in order fills a page quickly. A longer one matches
  // few, which the trigram indexes find; their ids are looked up first, because the planner underestimates
  // how many users one organization can have.
  return search.length < shortestIndexed
    ? sql`(u.name || E'\n' || u.account ilike ${pattern} or u.organization_id = any(array(${organizations})))`
    : sql`u.id = any(array(select s.id from app_user s where ${own} union all select s.id from app_user s where s.organization_id = any(array(${organizations}))))`;
}

/** Selects the users that match a filter; without a status, all except deleted ones. */
export function usersWhere({
  q,
  role,
  status,
  organizationId,
  customRoleId,
}: UserFilter): RawBuilder<unknown> {
  return allOf(
    role && sql`u.role = ${sql.lit(role)}`,
    status ? sql`u.status = ${sql.lit(status)}` : sql`u.status <> 'deleted'`,
    organizationId && sql`u.organization_id = ${organizationId}`,
    customRoleId && sql`u.custom_role_id = ${customRoleId}`,
    q && usersFound(q),
  );
}

/** Users as a list. A free-text search is counted up to `cap`, everything else is read from counters. */
function usersList(filter: UserFilter, cap?: number): List<UserRow> {
  const { role, status } = filter;
  return {
    columns: userColumns,
    from: userTables,
    where: usersWhere(filter),
    order: userOrder,
    counter:
      filter.q || filter.organizationId || filter.customRoleId
        ? undefined
        : status
          ? rowsCounted('app_user', role, status)
          : rowsCounted('app_user', role, 'active', 'inactive'),
    cap,
  };
}

/** Returns one page of users with the exact total (capped for free-text searches). */
export const pageOfUsers = (ctx: Ctx, input: In<typeof identity.listUsers>): Promise<Page<User>> =>
  readPage(ctx.db, input, usersList(input, searchTotalCap), toUser);

/** The statement for all users of a filter in an order. */
export function allUsers(filter: UserFilter, sort: string | undefined): RawBuilder<UserRow> {
  return sql<UserRow>`select ${userColumns} from ${userTables} where ${usersWhere(filter)} order by ${orderOf(userOrder, sort)}`;
}

/** Counts the users that match a filter. */
export const countUsers = (ctx: Ctx, filter: UserFilter): Promise<number> =>
  readTotal(ctx.db, usersList(filter));

/** The active users of several organizations. */
export async function membersOfMany(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<{ id: Id<'usr'>; organizationId: Id<'org'>; role: Role }[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
    organizationId: Id<'org'>;
    role: Role;
  }>`select id, organization_id as "organizationId", role from app_user where organization_id = any(${[...organizationIds]}::text[]) and status = 'active' order by id`.execute(
    ctx.db,
  );
  return rows;
}

type OrganizationRow = {
  id: Id<'org'>;
  name: string;
  tax_id: string;
  tax_status: Organization['taxStatus'];
  billing_email: string;
  billing_address: string;
  purchase_order: string;
  billing_reference: string;
  country: string;
  vat_id: string;
  electronic_address: string;
  time_zone: string;
  language: ContentLanguage;
  external_ref: string | null;
  created_at: Date;
  closed_at: Date | null;
};
const organizationColumns = sql<OrganizationRow>`o.id, o.name, o.tax_id, o.tax_status, o.billing_email, o.billing_address, o.purchase_order, o.billing_reference, o.country, o.vat_id, o.electronic_address, o.time_zone, o.language, o.external_ref, o.created_at, o.closed_at`;

const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  taxId: row.tax_id,
  taxStatus: row.tax_status,
  country: row.country,
  vatId: row.vat_id,
  electronicAddress: row.electronic_address,
  billingEmail: row.billing_email,
  billingAddress: row.billing_address,
  purchaseOrder: row.purchase_order,
  billingReference: row.billing_reference,
  timeZone: row.time_zone,
  language: row.language,
  externalRef: row.external_ref,
  createdAt: row.created_at,
  closedAt: row.closed_at,
});

/** One organization. */
export async function organizationById(
  db: Kysely<unknown>,
  organizationId: string,
): Promise<Organization | undefined> {
  const { rows } =
    await sql<OrganizationRow>`--hot organization-by-id\n select ${organizationColumns} from organization o where o.id = ${organizationId}`.execute(
      db,
    );
  return rows[0] && toOrganization(rows[0]);
}

const organizationOrder: ListOrder = {
  by: {
    createdAt: { expression: sql`o.created_at`, cast: 'timestamptz' },
    name: { expression: sql`o.name`, cast: 'text' },
  },
  usual: 'name',
  id: sql`o.id`,
};

/** One page of organizations. */
export const pageOfOrganizations = (
  ctx: Ctx,
  input: In<typeof identity.listOrganizations>,
): Promise<Page<Organization>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: organizationColumns,
      from: sql`organization o`,
      where: allOf(input.q && sql`o.name ilike ${containsPattern(input.q)}`),
      order: organizationOrder,
      counter: input.q ? undefined : rowsCounted('organization'),
      cap: searchTotalCap,
    },
    toOrganization,
  );

/** Returns organizations by id, ordered by id. */
export async function organizationsByIds(ctx: Ctx, ids: readonly string[]): Promise<Organization[]> {
  const { rows } =
    await sql<OrganizationRow>`select ${organizationColumns} from organization o where o.id = any(${[...ids]}::text[]) order by o.id`.execute(
      ctx.db,
    );
  return rows.map(toOrganization);
}

/** Returns the organizations that a file names by id or by their reference in other systems. */
export async function organizationsByIdOrRef(
  ctx: Ctx,
  wanted: readonly { readonly id?: string | undefined; readonly ref?: string | undefined }[],
): Promise<Organization[]> {
  const { rows } =
    await sql<OrganizationRow>`select ${organizationColumns} from organization o where o.id = any(${wanted.flatMap(({ id }) => id ?? [])}::text[]) or o.external_ref = any(${wanted.flatMap(({ ref }) => ref ?? [])}::text[]) order by o.id`.execute(
      ctx.db,
    );
  return rows.map(toOrganization);
}

/** Returns at most `most` organizations, sorted by name. */
export async function allOrganizations(ctx: Ctx, most: number): Promise<Organization[]> {
  const { rows } =
    await sql<OrganizationRow>`select ${organizationColumns} from organization o order by o.name, o.id limit ${most}`.execute(
      ctx.db,
    );
  return rows.map(toOrganization);
}

/** Counts the organizations. */
export const countOrganizations = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`organization`, where: sql`true` });

export type NewOrganization = {
  name: string;
  timeZone: string;
  language: ContentLanguage;
  externalRef: string | null;
};

/** Adds an organization; returns the existing one if it has the same external reference. */
export async function insertOrganization(
  ctx: Ctx,
  organization: NewOrganization,
): Promise<{ id: Id<'org'>; created: boolean }> {
  const made = await sql<{
    id: Id<'org'>;
  }>`insert into organization (id, name, time_zone, language, external_ref, created_at)
    values (${ctx.newId('org')}, ${organization.name}, ${organization.timeZone}, ${organization.language}, ${organization.externalRef}, ${ctx.now})
    on conflict (external_ref) do nothing returning id`.execute(ctx.db);
  if (made.rows[0]) return { id: made.rows[0].id, created: true };
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select id from organization where external_ref = ${organization.externalRef}`.execute(ctx.db);
  if (!rows[0]) throw new Error('the organization was neither made nor there');
  return { id: rows[0].id, created: false };
}

/** Changes the given columns of an organization. */
export async function updateOrganizationRow(
  ctx: Ctx,
  organizationId: string,
  change: Partial<{
    name: string;
    tax_id: string;
    tax_status: Organization['taxStatus'];
    billing_email: string;
    billing_address: string;
    purchase_order: string;
    billing_reference: string;
    country: string;
    vat_id: string;
    electronic_address: string;
    time_zone: string;
    language: Language;
  }>,
): Promise<void> {
  const set = assignments(change);
  if (set) await sql`update organization set ${set} where id = ${organizationId}`.execute(ctx.db);
}
