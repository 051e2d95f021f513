// SQL of an organization's members and invitations.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Invitation, Member } from '../contract.ts';
import { customRoleOf } from './store.ts';

const memberColumns = sql`u.id, u.name, u.account, u.role, ${customRoleOf} as "customRole", u.status, u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt"`;

/** An organization's users, by name. */
export async function membersOf(ctx: Ctx, organizationId: string): Promise<Member[]> {
  const { rows } =
    await sql<Member>`select ${memberColumns} from app_user u where u.organization_id = ${organizationId} and u.status <> 'deleted' order by u.name, u.id`.execute(
      ctx.db,
    );
  return rows;
}

/** One of an organization's users; a user of another organization is not found. */
export async function memberOf(
  ctx: Ctx,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const { rows } =
    await sql<Member>`select ${memberColumns} from app_user u where u.id = ${userId} and u.organization_id = ${organizationId} and u.status <> 'deleted'`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Locks an organization's active Users without a custom role and returns their ids, so that two transactions
 * cannot each remove one of the last two.
 */
export async function lockActiveUsers(ctx: Ctx, organizationId: string): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`select id from app_user where organization_id = ${organizationId} and role = 'User' and custom_role_id is null and status = 'active' order by id for no key update`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Whether an account belongs to one of the organization's users. */
export async function isMember(ctx: Ctx, organizationId: string, account: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from app_user where account = ${account} and organization_id = ${organizationId}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

const isOpen = sql`i.accepted_at is null and i.revoked_at is null`;
const invitationColumns = (now: Date) =>
  sql`i.id, i.email, i.role, (select json_build_object('id', r.id, 'name', r.name, 'permissions', r.permissions) from custom_role r where r.id = i.custom_role_id) as "customRole", u.name as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt", case when i.expires_at > ${now} then 'open' else 'expired' end as state`;

/** An organization's invitations that are neither accepted nor revoked, newest first. */
export async function invitationsOf(ctx: Ctx, organizationId: string): Promise<Invitation[]> {
  const { rows } =
    await sql<Invitation>`select ${invitationColumns(ctx.now)} from invitation i left join app_user u on u.id = i.invited_by
    where i.organization_id = ${organizationId} and ${isOpen} order by i.id desc`.execute(ctx.db);
  return rows;
}

/** How many of an organization's invitations could be accepted now. */
export const countInvitations = (ctx: Ctx, organizationId: string): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`invitation i`,
    where: sql`i.organization_id = ${organizationId} and ${isOpen} and i.expires_at > ${ctx.now}`,
  });

export type NewInvitation = {
  organizationId: string;
  email: string;
  role: Invitation['role'];
  customRoleId: Id<'rol'> | null;
  tokenHash: Buffer;
  invitedBy: string;
  expiresAt: Date;
};

/** Adds an invitation, replacing an expired one; undefined while the address has an open one. */
export async function insertInvitation(ctx: Ctx, invitation: NewInvitation): Promise<Id<'inv'> | undefined> {
  await sql`update invitation set revoked_at = ${ctx.now} where organization_id = ${invitation.organizationId} and email = ${invitation.email} and accepted_at is null and revoked_at is null and expires_at <= ${ctx.now}`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    id: Id<'inv'>;
  }>`insert into invitation (id, organization_id, email, role, custom_role_id, token_hash, invited_by, created_at, expires_at)
    values (${ctx.newId('inv')}, ${invitation.organizationId}, ${invitation.email}, ${invitation.role}, ${invitation.customRoleId}, ${invitation.tokenHash}, ${invitation.invitedBy}, ${ctx.now}, ${invitation.expiresAt})
    on conflict (organization_id, email) where accepted_at is null and revoked_at is null do nothing returning id`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

/**
 * Gives an unaccepted invitation a new token and a new expiry; returns how often it was sent, undefined when
 * there is none.
 */
export async function renewInvitation(
  ctx: Ctx,
  organizationId: string,
  invitationId: string,
  renewed: { tokenHash: Buffer; expiresAt: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{
    sent: number;
  }>`update invitation i set token_hash = ${renewed.tokenHash}, expires_at = ${renewed.expiresAt}, sent = sent + 1
    where i.id = ${invitationId} and i.organization_id = ${organizationId} and ${isOpen} returning sent`.execute(
    ctx.db,
  );
  return rows[0]?.sent;
}

/** Revokes an invitation; false when there is none to revoke. */
export async function revokeInvitationRow(
  ctx: Ctx,
  organizationId: string,
  invitationId: string,
): Promise<boolean> {
  const { rows } =
    await sql`update invitation i set revoked_at = ${ctx.now} where i.id = ${invitationId} and i.organization_id = ${organizationId} and ${isOpen} returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type FoundInvitation = {
  id: Id<'inv'>;
  organizationId: Id<'org'>;
  organization: string;
  email: string;
  role: Invitation['role'];
  customRoleId: Id<'rol'> | null;
  language: ContentLanguage;
  expiresAt: Date;
};

/** Returns the invitation with this token if it is neither accepted nor revoked; it may have expired. */
export async function invitationByToken(ctx: Ctx, tokenHash: Buffer): Promise<FoundInvitation | undefined> {
  const { rows } =
    await sql<FoundInvitation>`select i.id, i.organization_id as "organizationId", o.name as organization, i.email, i.role, i.custom_role_id as "customRoleId", o.language, i.expires_at as "expiresAt"
    from invitation i join organization o on o.id = i.organization_id where i.token_hash = ${tokenHash} and ${isOpen}`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Uses up an invitation: of several concurrent requests with its token, one gets it; none does once it has
 * expired.
 */
export async function takeInvitation(ctx: Ctx, tokenHash: Buffer): Promise<FoundInvitation | undefined> {
  const { rows } =
    await sql<FoundInvitation>`update invitation i set accepted_at = ${ctx.now} from organization o
    where i.token_hash = ${tokenHash} and ${isOpen} and i.expires_at > ${ctx.now} and o.id = i.organization_id
    returning i.id, i.organization_id as "organizationId", o.name as organization, i.email, i.role, i.custom_role_id as "customRoleId", o.language, i.expires_at as "expiresAt"`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Stores which user accepted an invitation. */
export async function storeAcceptedBy(ctx: Ctx, invitationId: string, userId: string): Promise<void> {
  await sql`update invitation set accepted_by = ${userId} where id = ${invitationId}`.execute(ctx.db);
}

/** Marks an organization as closed and deactivates its users, keys and invitations; returns the users. */
export async function markClosed(ctx: Ctx, organizationId: string, reason: string): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`with closed as (update organization set closed_at = ${ctx.now}, closed_reason = ${reason} where id = ${organizationId}),
      keys as (update api_key set revoked_at = ${ctx.now} where organization_id = ${organizationId} and revoked_at is null),
      invitations as (update invitation set revoked_at = ${ctx.now} where organization_id = ${organizationId} and accepted_at is null and revoked_at is null)
    update app_user set status = 'inactive' where organization_id = ${organizationId} and status = 'active' returning id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Marks an organization as open. */
export async function markOpen(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`update organization set closed_at = null, closed_reason = '' where id = ${organizationId}`.execute(
    ctx.db,
  );
}

/** The time zones of all organizations. */
export async function organizationZones(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`select distinct time_zone as zone from organization`.execute(
    ctx.db,
  );
  return rows.map(({ zone }) => zone);
}
