// SQL of the people and groups that identity providers provision.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { GivenGroup, GivenUser } from '../rules.ts';

export type UserRow = {
  readonly id: Id<'usr'>;
  readonly account: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly givenName: string;
  readonly familyName: string;
  readonly isActive: boolean;
  readonly isAdmitted: boolean;
  readonly isDeleted: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
};
export type GroupRow = {
  readonly id: Id<'scg'>;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly members: readonly { readonly value: Id<'usr'>; readonly display: string }[];
};

const userColumns = sql<UserRow>`u.id, u.account, u.name, s.external_id as "externalId", s.given_name as "givenName", s.family_name as "familyName", s.is_active as "isActive",
  s.is_admitted as "isAdmitted", s.is_deleted as "isDeleted", s.version, s.created_at as "createdAt", s.changed_at as "changedAt",
  coalesce((select json_agg(json_build_object('value', g.id, 'display', g.display_name) order by g.display_name) from scim_member m join scim_group g on g.id = m.group_id where m.user_id = u.id and g.provider_id = s.provider_id), '[]'::json) as groups`;
const userTables = sql`scim_user s join app_user u on u.id = s.user_id and u.status <> 'deleted'`;
const groupColumns = sql<GroupRow>`g.id, g.display_name as "displayName", g.external_id as "externalId", g.version, g.created_at as "createdAt", g.changed_at as "changedAt",
  coalesce((select json_agg(json_build_object('value', u.id, 'display', u.name) order by u.id) from scim_member m join app_user u on u.id = m.user_id where m.group_id = g.id), '[]'::json) as members`;

const userConditions: Readonly<Record<string, (value: string) => RawBuilder<unknown>>> = {
  id: (value) => sql`u.id = ${value}`,
  username: (value) => sql`u.account = ${value.toLowerCase()}`,
  externalid: (value) => sql`s.external_id = ${value}`,
  displayname: (value) => sql`lower(u.name) = lower(${value})`,
};
const groupConditions: Readonly<Record<string, (value: string) => RawBuilder<unknown>>> = {
  id: (value) => sql`g.id = ${value}`,
  externalid: (value) => sql`g.external_id = ${value}`,
  displayname: (value) => sql`lower(g.display_name) = lower(${value})`,
};

/** The rows to read: all, or those with one value of an attribute. */
export type Wanted = { readonly attribute: string; readonly value: string } | undefined;
const conditionOf = (wanted: Wanted, conditions: typeof userConditions): RawBuilder<unknown> =>
  wanted ? (conditions[wanted.attribute]?.(wanted.value) ?? sql`false`) : sql`true`;

/** Returns a provider's people in the order in which they were added. */
export async function usersOf(
  ctx: Ctx,
  providerId: string,
  wanted: Wanted,
  page: { readonly offset: number; readonly limit: number },
): Promise<UserRow[]> {
  const { rows } =
    await sql<UserRow>`select ${userColumns} from ${userTables} where s.provider_id = ${providerId} and not s.is_deleted and ${conditionOf(wanted, userConditions)}
    order by u.id limit ${page.limit} offset ${page.offset}`.execute(ctx.db);
  return rows;
}

/** Counts the people whom {@link usersOf} finds. */
export async function countUsersOf(ctx: Ctx, providerId: string, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${userTables} where s.provider_id = ${providerId} and not s.is_deleted and ${conditionOf(wanted, userConditions)}`.execute(
    ctx.db,
  );
  return rows[0]?.count ?? 0;
}

/** Returns a person of a provider, even one whom it has deleted. */
export async function userOf(ctx: Ctx, providerId: string, userId: string): Promise<UserRow | undefined> {
  const { rows } =
    await sql<UserRow>`select ${userColumns} from ${userTables} where s.provider_id = ${providerId} and u.id = ${userId}`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Stores a provider's data about a person; false when another person has the external id. An account that it
 * takes over counts as admitted if it is active.
 */
export async function saveUser(
  ctx: Ctx,
  providerId: string,
  userId: string,
  given: GivenUser,
): Promise<boolean> {
  if (given.externalId !== null) {
    const { rows } =
      await sql`select 1 from scim_user where provider_id = ${providerId} and external_id = ${given.externalId} and user_id <> ${userId}`.execute(
        ctx.db,
      );
    if (rows.length > 0) return false;
  }
  await sql`insert into scim_user as s (provider_id, user_id, external_id, given_name, family_name, is_active, is_admitted, is_deleted, version, created_at, changed_at)
    values (${providerId}, ${userId}, ${given.externalId}, ${given.givenName}, ${given.familyName}, ${given.active},
      (select status = 'active' from app_user where id = ${userId}), false, 1, ${ctx.now}, ${ctx.now})
    on conflict (provider_id, user_id) do update set external_id = excluded.external_id, given_name = excluded.given_name, family_name = excluded.family_name,
      is_active = excluded.is_active, is_deleted = false, version = s.version + 1, changed_at = excluded.changed_at`.execute(
    ctx.db,
  );
  return true;
}

/** Stores whether a person is admitted. */
export async function setAdmitted(ctx: Ctx, userId: string, isAdmitted: boolean): Promise<void> {
  await sql`update scim_user set is_admitted = ${isAdmitted} where user_id = ${userId}`.execute(ctx.db);
}

/** Handles a provider's deletion of a person: they leave its groups, and their account stays. */
export async function markDeleted(ctx: Ctx, providerId: string, userId: string): Promise<void> {
  await sql`update scim_user set is_deleted = true, is_active = false, version = version + 1, changed_at = ${ctx.now} where provider_id = ${providerId} and user_id = ${userId}`.execute(
    ctx.db,
  );
  await sql`delete from scim_member where user_id = ${userId}`.execute(ctx.db);
}

/** Returns a provider's groups in the order in which they were added. */
export async function groupsOf(
  ctx: Ctx,
  providerId: string,
  wanted: Wanted,
  page: { readonly offset: number; readonly limit: number },
): Promise<GroupRow[]> {
  const { rows } =
    await sql<GroupRow>`select ${groupColumns} from scim_group g where g.provider_id = ${providerId} and ${conditionOf(wanted, groupConditions)}
    order by g.id limit ${page.limit} offset ${page.offset}`.execute(ctx.db);
  return rows;
}

/** Counts the groups that {@link groupsOf} finds. */
export async function countGroupsOf(ctx: Ctx, providerId: string, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from scim_group g where g.provider_id = ${providerId} and ${conditionOf(wanted, groupConditions)}`.execute(
    ctx.db,
  );
  return rows[0]?.count ?? 0;
}

/** A group of a provider. */
export async function groupOf(ctx: Ctx, providerId: string, groupId: string): Promise<GroupRow | undefined> {
  const [group] = await groupsOf(
    ctx,
    providerId,
    { attribute: 'id', value: groupId },
    { offset: 0, limit: 1 },
  );
  return group;
}

/** Adds a group without members; undefined when its name is taken. */
export async function insertGroup(
  ctx: Ctx,
  providerId: string,
  given: GivenGroup,
): Promise<Id<'scg'> | undefined> {
  const { rows } = await sql<{
    id: Id<'scg'>;
  }>`insert into scim_group (id, provider_id, display_name, external_id, version, created_at, changed_at)
    values (${ctx.newId('scg')}, ${providerId}, ${given.displayName}, ${given.externalId}, 1, ${ctx.now}, ${ctx.now}) on conflict (provider_id, display_name) do nothing returning id`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

/** Changes a group; false when another one has its name. */
export async function changeGroup(
  ctx: Ctx,
  providerId: string,
  groupId: string,
  given: GivenGroup,
): Promise<boolean> {
  const { rows } =
    await sql`update scim_group g set display_name = ${given.displayName}, external_id = ${given.externalId}, version = version + 1, changed_at = ${ctx.now}
    where g.id = ${groupId} and not exists (select 1 from scim_group o where o.provider_id = ${providerId} and o.display_name = ${given.displayName} and o.id <> g.id) returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns those ids that do not belong to people of a provider. */
export async function strangers(ctx: Ctx, providerId: string, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select given.id from unnest(${[...userIds]}::text[]) as given (id)
    where not exists (select 1 from scim_user s where s.provider_id = ${providerId} and s.user_id = given.id and not s.is_deleted)`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** Replaces a group's members; returns who joined and who left. */
export async function replaceMembers(
  ctx: Ctx,
  groupId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const left = await sql<{
    user_id: string;
  }>`delete from scim_member where group_id = ${groupId} and user_id <> all(${[...userIds]}::text[]) returning user_id`.execute(
    ctx.db,
  );
  const came = await sql<{
    user_id: string;
  }>`insert into scim_member (group_id, user_id) select ${groupId}, id from unnest(${[...userIds]}::text[]) as m (id) on conflict do nothing returning user_id`.execute(
    ctx.db,
  );
  return [...left.rows, ...came.rows].map((row) => row.user_id);
}

/** Deletes a group. */
export async function deleteGroupRow(ctx: Ctx, groupId: string): Promise<void> {
  await sql`delete from scim_group where id = ${groupId}`.execute(ctx.db);
}

/**
 * Returns the names of a person's groups at the provider that provisioned their account; undefined when none
 * did.
 */
export async function provisionedGroups(
  ctx: Ctx,
  providerId: string,
  userId: string,
): Promise<string[] | undefined> {
  const { rows } = await sql<{
    groups: string[];
  }>`select array(select g.display_name from scim_member m join scim_group g on g.id = m.group_id where m.user_id = s.user_id and g.provider_id = s.provider_id) as groups
    from scim_user s where s.provider_id = ${providerId} and s.user_id = ${userId} and not s.is_deleted`.execute(
    ctx.db,
  );
  return rows[0]?.groups;
}

/** Deletes providers' data about people whose data is erased. */
export async function forgetProvisioned(
  ctx: Ctx,
  { userIds }: { readonly userIds: readonly string[] },
): Promise<void> {
  await sql`delete from scim_member where user_id = any(${[...userIds]}::text[])`.execute(ctx.db);
  await sql`delete from scim_user where user_id = any(${[...userIds]}::text[])`.execute(ctx.db);
}
