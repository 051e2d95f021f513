// SQL of brands: resellers' branding towards their customers.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Brand, Brands } from '#platform/server/unit-of-work/brands.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { resaleSpans } from './store.ts';

const columns = sql<Brand>`r.organization_id as "organizationId", r.name, b.logo_id as logo, b.accent, coalesce(b.sender_name, '') as "senderName", coalesce(b.reply_to, '') as "replyTo", case when b.host_verified_at is not null then b.host end as host`;
const tables = sql`reseller r left join reseller_brand b on b.reseller_id = r.organization_id`;
/** In the customer's current month. */
const sellsAt = (now: Date) =>
  sql`s.from_month <= to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM') and coalesce(s.until_month, '9999-12') > to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;

/** Returns the brands of resellers, for their customers' users and for visitors of their host names. */
export const resellerBrands: Brands = {
  ofOrganization: async (db, organizationId, now) => {
    const { rows } =
      await sql<Brand>`select ${columns} from ${tables} join ${resaleSpans} s on s.reseller_id = r.organization_id join organization o on o.id = s.organization_id
        where s.organization_id = ${organizationId} and ${sellsAt(now)}`.execute(db);
    return rows[0];
  },
  ofUsers: async (db, userIds, now) => {
    if (userIds.length === 0) return new Map();
    const { rows } = await sql<
      Brand & { readonly userId: string }
    >`select u.id as "userId", ${columns} from ${tables} join ${resaleSpans} s on s.reseller_id = r.organization_id join organization o on o.id = s.organization_id join app_user u on u.organization_id = o.id
      where u.id = any(${[...userIds]}::text[]) and ${sellsAt(now)}`.execute(db);
    return new Map(rows.map(({ userId, ...brand }) => [userId, brand]));
  },
  ofHost: async (db, host) => {
    const { rows } =
      await sql<Brand>`select ${columns} from ${tables} where b.host = ${host} and b.host_verified_at is not null`.execute(
        db,
      );
    return rows[0];
  },
};

/** A reseller's brand settings. */
export type StoredBrand = {
  readonly accent: string | null;
  readonly logo: Id<'lgo'> | null;
  readonly senderName: string;
  readonly replyTo: string;
  readonly host: string | null;
  readonly challenge: string | null;
  readonly verifiedAt: Date | null;
};

const nothingSet: StoredBrand = {
  accent: null,
  logo: null,
  senderName: '',
  replyTo: '',
  host: null,
  challenge: null,
  verifiedAt: null,
};

/** Returns a reseller's brand settings; all empty until configured. */
export async function storedBrand(db: Kysely<unknown>, resellerId: string): Promise<StoredBrand> {
  const { rows } =
    await sql<StoredBrand>`select accent, logo_id as logo, sender_name as "senderName", reply_to as "replyTo", host, host_challenge as challenge, host_verified_at as "verifiedAt" from reseller_brand where reseller_id = ${resellerId}`.execute(
      db,
    );
  return rows[0] ?? nothingSet;
}

/** Sets a reseller's color and how its mails are sent. */
export async function putBrand(
  ctx: Ctx,
  resellerId: string,
  { accent, senderName, replyTo }: Pick<StoredBrand, 'accent' | 'senderName' | 'replyTo'>,
): Promise<void> {
  await sql`insert into reseller_brand (reseller_id, accent, sender_name, reply_to) values (${resellerId}, ${accent}, ${senderName}, ${replyTo})
    on conflict (reseller_id) do update set accent = excluded.accent, sender_name = excluded.sender_name, reply_to = excluded.reply_to`.execute(
    ctx.db,
  );
}

/** Sets a reseller's logo, a PNG; null removes it. */
export async function putLogo(ctx: Ctx, resellerId: string, logo: Buffer | null): Promise<void> {
  await sql`insert into reseller_brand (reseller_id, logo_id, logo) values (${resellerId}, ${logo === null ? null : ctx.newId('lgo')}, ${logo})
    on conflict (reseller_id) do update set logo_id = excluded.logo_id, logo = excluded.logo`.execute(ctx.db);
}

/** Returns a logo; undefined if the id no longer exists. */
export async function logoById(db: Kysely<unknown>, logoId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{
    logo: Buffer;
  }>`select logo from reseller_brand where logo_id = ${logoId}`.execute(db);
  return rows[0]?.logo;
}

/**
 * Sets the host name that a reseller claims; null for none. It takes effect once verified with the challenge.
 */
export async function putHost(
  ctx: Ctx,
  resellerId: string,
  claim: { readonly host: string; readonly challenge: string } | null,
): Promise<void> {
  await sql`insert into reseller_brand (reseller_id, host, host_challenge) values (${resellerId}, ${claim?.host ?? null}, ${claim?.challenge ?? null})
    on conflict (reseller_id) do update set host = excluded.host, host_challenge = excluded.host_challenge, host_verified_at = null`.execute(
    ctx.db,
  );
}

/**
 * Marks a reseller's host name as verified, unless it has changed since it was looked up. False if another
 * reseller has already verified it.
 */
export async function markHostVerified(
  ctx: Ctx,
  resellerId: string,
  { host, challenge }: { readonly host: string; readonly challenge: string },
): Promise<boolean> {
  const { rows } =
    await sql`update reseller_brand b set host_verified_at = coalesce(b.host_verified_at, ${ctx.now}) where b.reseller_id = ${resellerId} and b.host = ${host} and b.host_challenge = ${challenge}
      and not exists (select from reseller_brand other where other.host = ${host} and other.host_verified_at is not null and other.reseller_id <> b.reseller_id) returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
