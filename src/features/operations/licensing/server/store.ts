// SQL of licenses.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Licensable, licensing, LicenceState } from '../contract.ts';
import { expiringDays } from '../rules.ts';

export type LicenceRow = {
  readonly id: Id<'lic'>;
  readonly subscriptionId: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly service: string;
  readonly machine: string;
  readonly keyId: string;
  readonly issuedAt: Date;
  readonly issuedBy: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
  readonly revokeReason: string | null;
  readonly renews: Id<'lic'> | null;
  readonly supersededBy: Id<'lic'> | null;
  readonly file: string;
  readonly sha256: Buffer;
};
const person = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select name from app_user where id = ${column})`;
const columns = sql<LicenceRow>`l.id, l.subscription_id as "subscriptionId", l.organization_id as "organizationId", o.name as organization, s.name as service, l.machine, l.key_id as "keyId", l.issued_at as "issuedAt", coalesce(${person(sql`l.issued_by`)}, '') as "issuedBy",
  l.expires_at as "expiresAt", l.revoked_at as "revokedAt", ${person(sql`l.revoked_by`)} as "revokedBy", l.revoke_reason as "revokeReason", l.renews, n.id as "supersededBy", l.file, l.sha256`;
const tables = sql`licence l join organization o on o.id = l.organization_id join service s on s.id = l.service_id left join licence n on n.renews = l.id`;

/** The state as defined in rules.ts, as an SQL condition. */
function stateCondition(state: LicenceState, now: Date): RawBuilder<unknown> {
  const soon = sql`${now}::timestamptz + ${`${expiringDays} days`}::interval`;
  const open = sql`l.revoked_at is null and n.id is null`;
  switch (state) {
    case 'revoked':
      return sql`l.revoked_at is not null`;
    case 'superseded':
      return sql`l.revoked_at is null and n.id is not null`;
    case 'expired':
      return sql`${open} and l.expires_at <= ${now}`;
    case 'expiring':
      return sql`${open} and l.expires_at > ${now} and l.expires_at <= ${soon}`;
    case 'valid':
      return sql`${open} and l.expires_at > ${soon}`;
  }
}

const order: ListOrder = {
  by: {
    issuedAt: { expression: sql`l.issued_at`, cast: 'timestamptz' },
    expiresAt: { expression: sql`l.expires_at`, cast: 'timestamptz' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-issuedAt',
  id: sql`l.id`,
};

export function pageOfLicences(
  ctx: Ctx,
  input: In<typeof licensing.listLicences>,
): Promise<Page<LicenceRow>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns,
    from: tables,
    where: allOf(
      input.state && stateCondition(input.state, ctx.now),
      input.subscriptionId && sql`l.subscription_id = ${input.subscriptionId}`,
      pattern &&
        sql`(o.name ilike ${pattern} or s.name ilike ${pattern} or l.machine ilike ${pattern} or l.id ilike ${pattern})`,
    ),
    order,
  };
  return readPage(ctx.db, input, list, rowItself);
}

export async function licenceById(
  ctx: Ctx,
  licenceId: string,
  lock = false,
): Promise<LicenceRow | undefined> {
  if (lock) await sql`select 1 from licence where id = ${licenceId} for update`.execute(ctx.db);
  const { rows } = await sql<LicenceRow>`select ${columns} from ${tables} where l.id = ${licenceId}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Counts the currently valid licenses of a subscription. */
export const countValid = (ctx: Ctx, subscriptionId: string): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`licence l left join licence n on n.renews = l.id`,
    where: sql`l.subscription_id = ${subscriptionId} and l.revoked_at is null and n.id is null and l.expires_at > ${ctx.now}`,
  });

export type NewLicence = Pick<
  LicenceRow,
  | 'id'
  | 'subscriptionId'
  | 'organizationId'
  | 'machine'
  | 'keyId'
  | 'issuedBy'
  | 'expiresAt'
  | 'renews'
  | 'file'
  | 'sha256'
> & { readonly serviceId: Id<'svc'> };
export async function insertLicence(ctx: Ctx, licence: NewLicence): Promise<void> {
  await sql`insert into licence (id, subscription_id, organization_id, service_id, key_id, machine, renews, file, sha256, issued_at, issued_by, expires_at)
    values (${licence.id}, ${licence.subscriptionId}, ${licence.organizationId}, ${licence.serviceId}, ${licence.keyId}, ${licence.machine}, ${licence.renews}, ${licence.file}, ${licence.sha256}, ${ctx.now}, ${licence.issuedBy}, ${licence.expiresAt})`.execute(
    ctx.db,
  );
}

/** Stores a revocation under the next number; the caller must hold the lock of the list. */
export async function revoke(ctx: Ctx, licenceId: string, reason: string, by: string): Promise<void> {
  await sql`update licence set revoked_at = ${ctx.now}, revoked_by = ${by}, revoke_reason = ${reason}, revocation = (select coalesce(max(revocation), 0) + 1 from licence) where id = ${licenceId}`.execute(
    ctx.db,
  );
}

/** Returns every revoked license, in the order of revocation. */
export async function allRevoked(
  ctx: Ctx,
): Promise<{ licenceId: string; revokedAt: Date; number: bigint }[]> {
  const { rows } = await sql<{
    licenceId: string;
    revokedAt: Date;
    number: bigint;
  }>`select id as "licenceId", revoked_at as "revokedAt", revocation as number from licence where revocation is not null order by revocation`.execute(
    ctx.db,
  );
  return rows;
}

const maxOffered = 20;
/** Returns served subscriptions, searched by organization and service. */
export async function findLicensable(ctx: Ctx, q: string | undefined): Promise<Licensable[]> {
  const pattern = q ? containsPattern(q) : undefined;
  const where = allOf(
    sql`b.state in ('active', 'cancelling', 'past_due')`,
    sql`(b.ends_at is null or b.ends_at > ${ctx.now})`,
    pattern && sql`(o.name ilike ${pattern} or s.name ilike ${pattern})`,
  );
  const { rows } =
    await sql<Licensable>`select b.id as "subscriptionId", o.name as organization, s.name as service, b.state, b.ends_at as "endsAt"
    from subscription b join organization o on o.id = b.organization_id join service s on s.id = b.service_id where ${where} order by o.name, s.name, b.id limit ${maxOffered}`.execute(
      ctx.db,
    );
  return rows;
}
