// SQL of quotes: their list, their state, and single ones with their versions.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  readTotal,
  rowItself,
  searchTotalCap,
  type List,
  type ListOrder,
  type PageInput,
} from '#platform/server/database/paging.ts';
import type { Made, Quote, QuoteState } from '../contract.ts';
import { isFinal, stateAt, type StoredState } from '../rules.ts';

export type QuoteRow = {
  id: Id<'qot'>;
  number: string | null;
  organizationId: Id<'org'>;
  organization: string;
  currency: Currency;
  state: StoredState;
  latestVersion: number;
  sentVersion: number | null;
  revision: number;
  /** Of the newest version. */
  validUntil: LocalDay;
  totalMinor: bigint;
  /** Of the version that was sent. */
  expiresAt: Date | null;
  sentAt: Date | null;
  createdAt: Date;
  createdBy: string;
  decidedAt: Date | null;
  decidedBy: string | null;
  decidedFrom: string | null;
  decidedReason: string | null;
  made: Made[];
};
export type QuoteFilter = {
  q?: string | undefined;
  organizationId?: string | undefined;
  state?: QuoteState | undefined;
  currency?: Currency | undefined;
};

const personName = (column: string): RawBuilder<string> =>
  sql<string>`coalesce((select u.name from app_user u where u.id = ${sql.ref(column)}), '')`;
const columns = sql<QuoteRow>`q.id, q.number, q.organization_id as "organizationId", o.name as organization, q.currency, q.state, q.latest_version as "latestVersion", q.sent_version as "sentVersion", q.revision,
  v.valid_until::text as "validUntil", v.total_minor as "totalMinor", s.expires_at as "expiresAt", s.sent_at as "sentAt", q.created_at as "createdAt", ${personName('q.created_by')} as "createdBy",
  q.decided_at as "decidedAt", q.decided_by as "decidedBy", q.decided_from as "decidedFrom", q.decided_reason as "decidedReason", q.made`;
const tables = sql`quote q join organization o on o.id = q.organization_id join quote_version v on v.quote_id = q.id and v.version = q.latest_version
  left join quote_version s on s.quote_id = q.id and s.version = q.sent_version`;

/** Converts a stored row to the form that lists show. */
export const quoteOf = (row: QuoteRow, now: Date): Quote => ({
  id: row.id,
  number: row.number,
  organizationId: row.organizationId,
  organization: row.organization,
  currency: row.currency,
  state: stateAt(row.state, row.expiresAt, now),
  hasDraft: row.latestVersion !== row.sentVersion && !isFinal(row.state),
  version: row.latestVersion,
  validUntil: row.validUntil,
  total: money(row.totalMinor, row.currency),
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  sentAt: row.sentAt,
});

const order: ListOrder = {
  by: {
    createdAt: { expression: sql`q.created_at`, cast: 'timestamptz' },
    number: { expression: sql`coalesce(q.number, '')`, cast: 'text' },
    organization: { expression: sql`o.name`, cast: 'text' },
    validUntil: { expression: sql`v.valid_until`, cast: 'date' },
    total: { expression: sql`v.total_minor`, cast: 'bigint' },
  },
  usual: '-createdAt',
  id: sql`q.id`,
};

function inState(state: QuoteState, now: Date): RawBuilder<unknown> {
  if (state === 'expired') return sql`q.state = 'sent' and s.expires_at <= ${now}`;
  if (state === 'sent') return sql`q.state = 'sent' and s.expires_at > ${now}`;
  return sql`q.state = ${sql.lit(state)}`;
}

function listOf({ q, organizationId, state, currency }: QuoteFilter, now: Date): List<QuoteRow> {
  const pattern = q ? containsPattern(q) : undefined;
  return {
    columns,
    from: tables,
    where: allOf(
      organizationId && sql`q.organization_id = ${organizationId}`,
      state && inState(state, now),
      currency && sql`q.currency = ${sql.lit(currency)}`,
      pattern && sql`(q.number ilike ${pattern} or o.name ilike ${pattern})`,
    ),
    order,
    cap: searchTotalCap,
  };
}

/** One page of quotes. */
export const pageOfQuotes = (ctx: Ctx, input: QuoteFilter & PageInput): Promise<Page<Quote>> =>
  readPage(ctx.db, input, listOf(input, ctx.now), (row) => quoteOf(rowItself(row), ctx.now));

/** Counts the quotes that match a filter. */
export const countQuotes = (ctx: Ctx, filter: QuoteFilter): Promise<number> =>
  readTotal(ctx.db, { ...listOf(filter, ctx.now), cap: undefined });

/** Returns the query for all quotes that match a filter. */
export const quotesQuery = (
  filter: QuoteFilter & { sort?: string | undefined },
  now: Date,
): RawBuilder<QuoteRow> =>
  sql<QuoteRow>`select ${columns} from ${tables} where ${listOf(filter, now).where} order by ${orderOf(order, filter.sort)}`;

/** Returns one of them; with `lock`, no other transaction can change it until this one ends. */
export async function quoteById(ctx: Ctx, id: string, lock = false): Promise<QuoteRow | undefined> {
  if (lock) await sql`select 1 from quote where id = ${id} for update`.execute(ctx.db);
  const { rows } = await sql<QuoteRow>`select ${columns} from ${tables} where q.id = ${id}`.execute(ctx.db);
  return rows[0];
}

/** Returns an organization's quotes that can be accepted, newest first. */
export async function openQuotesOf(ctx: Ctx, organizationId: string): Promise<QuoteRow[]> {
  const { rows } =
    await sql<QuoteRow>`select ${columns} from ${tables} where q.organization_id = ${organizationId} and ${inState('sent', ctx.now)} order by q.created_at desc, q.id desc`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns the quotes whose sent version expires before a given time. */
export async function expiringQuotes(ctx: Ctx, before: Date): Promise<QuoteRow[]> {
  const { rows } =
    await sql<QuoteRow>`select ${columns} from ${tables} where q.state = 'sent' and s.expires_at > ${ctx.now} and s.expires_at <= ${before} order by s.expires_at, q.id`.execute(
      ctx.db,
    );
  return rows;
}

/** Stores a new draft, without a version. */
export async function insertQuote(
  ctx: Ctx,
  quote: {
    readonly id: Id<'qot'>;
    readonly organizationId: Id<'org'>;
    readonly currency: Currency;
    readonly createdBy: Id<'usr'>;
  },
): Promise<void> {
  await sql`insert into quote (id, organization_id, currency, state, latest_version, created_by, created_at) values (${quote.id}, ${quote.organizationId}, ${quote.currency}, 'draft', 1, ${quote.createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Increments the revision; with `latestVersion`, that version becomes the newest. */
export async function bumpQuote(ctx: Ctx, id: string, latestVersion: number): Promise<void> {
  await sql`update quote set latest_version = ${latestVersion}, revision = revision + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

export async function deleteQuoteRow(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from quote where id = ${id}`.execute(ctx.db);
}

/**
 * Returns the next number of a series; the series stays locked until the transaction ends, so that numbers
 * are gapless.
 */
export async function nextNumber(ctx: Ctx, series: string): Promise<number> {
  const { rows } = await sql<{
    last: number;
  }>`insert into quote_series (series, last_number) values (${series}, 1) on conflict (series) do update set last_number = quote_series.last_number + 1 returning last_number as last`.execute(
    ctx.db,
  );
  return rows[0]?.last ?? 1;
}

/** Makes a version the one that can be accepted; `numbered` if it is the first. */
export async function markSent(
  ctx: Ctx,
  id: string,
  version: number,
  numbered: { readonly series: string; readonly sequence: number; readonly number: string } | null,
): Promise<void> {
  const number = numbered
    ? sql`, series = ${numbered.series}, sequence = ${numbered.sequence}, number = ${numbered.number}`
    : sql``;
  await sql`update quote set state = 'sent', sent_version = ${version}, revision = revision + 1 ${number} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Stores the decision on a locked quote. */
export async function decide(
  ctx: Ctx,
  id: string,
  decided: {
    readonly state: 'accepted' | 'declined' | 'withdrawn';
    readonly by: string;
    readonly from: string;
    readonly reason: string;
    readonly made: readonly Made[];
  },
): Promise<void> {
  await sql`update quote set state = ${decided.state}, decided_at = ${ctx.now}, decided_by = ${decided.by}, decided_from = ${decided.from}, decided_reason = ${decided.reason}, made = ${JSON.stringify(decided.made)}::jsonb, revision = revision + 1 where id = ${id}`.execute(
    ctx.db,
  );
}
