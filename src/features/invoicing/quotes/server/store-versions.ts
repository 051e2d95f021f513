// SQL of the versions of quotes.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { OfferedService, QuoteContent, StoredEstimate } from '../contract-content.ts';

export type VersionRow = {
  readonly quoteId: Id<'qot'>;
  readonly version: number;
  readonly content: QuoteContent;
  readonly offered: readonly OfferedService[];
  readonly estimate: StoredEstimate;
  readonly validUntil: LocalDay;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly sentAt: Date | null;
  /** The Admin who sent it. */
  readonly sentById: Id<'usr'> | null;
  readonly sentBy: string | null;
  readonly expiresAt: Date | null;
  readonly linkSalt: string | null;
  readonly linkHash: Buffer | null;
};
type Stored = Omit<VersionRow, 'content' | 'offered' | 'estimate'> & {
  readonly content: unknown;
  readonly offered: unknown;
  readonly estimate: unknown;
};

const columns = sql<Stored>`v.quote_id as "quoteId", v.version, v.content, v.offered, v.estimate, v.valid_until::text as "validUntil", v.created_at as "createdAt", coalesce((select u.name from app_user u where u.id = v.created_by), '') as "createdBy",
  v.sent_at as "sentAt", v.sent_by as "sentById", case when v.sent_by is not null then coalesce((select u.name from app_user u where u.id = v.sent_by), '') end as "sentBy", v.expires_at as "expiresAt", v.link_salt as "linkSalt", v.link_hash as "linkHash"`;
const Offered = z.array(OfferedService);

const read = ({ content, offered, estimate, ...row }: Stored): VersionRow => ({
  ...row,
  content: z.decode(QuoteContent, content as z.input<typeof QuoteContent>),
  offered: z.parse(Offered, offered),
  estimate: z.decode(StoredEstimate, estimate as z.input<typeof StoredEstimate>),
});

/** Returns the versions of a quote, newest first. */
export async function versionsOf(ctx: Ctx, quoteId: string): Promise<VersionRow[]> {
  const { rows } =
    await sql<Stored>`select ${columns} from quote_version v where v.quote_id = ${quoteId} order by v.version desc`.execute(
      ctx.db,
    );
  return rows.map(read);
}

/** One version of a quote. */
export async function versionOf(ctx: Ctx, quoteId: string, version: number): Promise<VersionRow | undefined> {
  const { rows } =
    await sql<Stored>`select ${columns} from quote_version v where v.quote_id = ${quoteId} and v.version = ${version}`.execute(
      ctx.db,
    );
  return rows[0] && read(rows[0]);
}

/** Returns the version that a link was created for. */
export async function versionByLink(
  ctx: Ctx,
  linkHash: Buffer,
): Promise<{ readonly quoteId: Id<'qot'>; readonly version: number } | undefined> {
  const { rows } = await sql<{
    quoteId: Id<'qot'>;
    version: number;
  }>`select quote_id as "quoteId", version from quote_version where link_hash = ${linkHash}`.execute(ctx.db);
  return rows[0];
}

export type WrittenVersion = {
  readonly quoteId: Id<'qot'>;
  readonly version: number;
  readonly content: QuoteContent;
  readonly offered: readonly OfferedService[];
  readonly estimate: StoredEstimate;
  readonly validUntil: LocalDay;
};

/** Stores a draft, replacing the existing one. */
export async function writeDraft(ctx: Ctx, draft: WrittenVersion, by: Id<'usr'>): Promise<void> {
  await sql`insert into quote_version (quote_id, version, content, offered, estimate, total_minor, valid_until, created_by, created_at)
    values (${draft.quoteId}, ${draft.version}, ${JSON.stringify(z.encode(QuoteContent, draft.content))}::jsonb, ${JSON.stringify(draft.offered)}::jsonb, ${JSON.stringify(z.encode(StoredEstimate, draft.estimate))}::jsonb, ${draft.estimate.contract.total.minor}, ${draft.validUntil}::date, ${by}, ${ctx.now})
    on conflict (quote_id, version) do update set content = excluded.content, offered = excluded.offered, estimate = excluded.estimate, total_minor = excluded.total_minor, valid_until = excluded.valid_until`.execute(
    ctx.db,
  );
}

/** Marks a draft as sent; it does not change any more. */
export async function sendVersion(
  ctx: Ctx,
  sent: {
    readonly quoteId: string;
    readonly version: number;
    readonly by: Id<'usr'>;
    readonly expiresAt: Date;
    readonly linkSalt: string;
    readonly linkHash: Buffer;
  },
): Promise<void> {
  await sql`update quote_version set sent_at = ${ctx.now}, sent_by = ${sent.by}, expires_at = ${sent.expiresAt}, link_salt = ${sent.linkSalt}, link_hash = ${sent.linkHash} where quote_id = ${sent.quoteId} and version = ${sent.version}`.execute(
    ctx.db,
  );
}

export async function deleteVersion(ctx: Ctx, quoteId: string, version: number): Promise<void> {
  await sql`delete from quote_version where quote_id = ${quoteId} and version = ${version}`.execute(ctx.db);
}
