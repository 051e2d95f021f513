// SQL of tracks (字軌): ranges of numbers for two months each.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { einvoices } from '../contract.ts';

export type StoredTrack = {
  readonly id: Id<'etr'>;
  readonly period: BillingMonth;
  readonly letters: string;
  readonly from: number;
  readonly to: number;
  readonly next: number;
  readonly lastIssuedAt: Date | null;
  readonly createdAt: Date;
  readonly unusedReportedAt: Date | null;
};
const columns = sql<StoredTrack>`t.id, t.period, t.letters, t.from_number as "from", t.to_number as "to", t.next_number as next, t.last_issued_at as "lastIssuedAt", t.created_at as "createdAt", t.unused_reported_at as "unusedReportedAt"`;

/**
 * Returns the ranges of a period in order of use, locked until the end of the unit of work: processes take
 * numbers one after the other, so that numbers increase with time.
 */
export async function lockTracks(ctx: Ctx, period: string): Promise<StoredTrack[]> {
  const { rows } =
    await sql<StoredTrack>`select ${columns} from einvoice_track t where t.period = ${period} order by t.created_at, t.id for update`.execute(
      ctx.db,
    );
  return rows;
}
export async function tracksOf(ctx: Ctx, period: string): Promise<StoredTrack[]> {
  const { rows } =
    await sql<StoredTrack>`select ${columns} from einvoice_track t where t.period = ${period} order by t.created_at, t.id`.execute(
      ctx.db,
    );
  return rows;
}

export async function advanceTrack(
  ctx: Ctx,
  trackId: string,
  next: number,
  lastIssuedAt: Date,
): Promise<void> {
  await sql`update einvoice_track set next_number = ${next}, last_issued_at = ${lastIssuedAt} where id = ${trackId}`.execute(
    ctx.db,
  );
}

export async function insertTrack(
  ctx: Ctx,
  track: Pick<StoredTrack, 'id' | 'period' | 'letters' | 'from' | 'to'>,
  by: string,
): Promise<void> {
  await sql`insert into einvoice_track (id, period, letters, from_number, to_number, next_number, created_at, created_by) values (${track.id}, ${track.period}, ${track.letters}, ${track.from}, ${track.to}, ${track.from}, ${ctx.now}, ${by})`.execute(
    ctx.db,
  );
}
/** Whether numbers of a range are already in another one. */
export async function overlaps(
  ctx: Ctx,
  { period, letters, from, to }: Pick<StoredTrack, 'period' | 'letters' | 'from' | 'to'>,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from einvoice_track where period = ${period} and letters = ${letters} and from_number <= ${to} and to_number >= ${from} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export async function trackById(ctx: Ctx, trackId: string, lock = false): Promise<StoredTrack | undefined> {
  const { rows } =
    await sql<StoredTrack>`select ${columns} from einvoice_track t where t.id = ${trackId} ${lock ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}
export async function deleteTrack(ctx: Ctx, trackId: string): Promise<void> {
  await sql`delete from einvoice_track where id = ${trackId}`.execute(ctx.db);
}

const order: ListOrder = {
  by: {
    period: { expression: sql`t.period::text`, cast: 'text' },
    createdAt: { expression: sql`t.created_at`, cast: 'timestamptz' },
  },
  usual: '-period',
  id: sql`t.id`,
};
export function pageOfTracks(ctx: Ctx, input: In<typeof einvoices.listTracks>): Promise<Page<StoredTrack>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  return readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`einvoice_track t`,
      where: allOf(pattern && sql`(t.letters ilike ${pattern} or t.period ilike ${pattern})`),
      order,
    },
    ({ id, period, letters, from, to, next, lastIssuedAt, createdAt, unusedReportedAt }) => ({
      id,
      period,
      letters,
      from,
      to,
      next,
      lastIssuedAt,
      createdAt,
      unusedReportedAt,
    }),
  );
}

/**
 * Returns the numbers of a range used by invoices, in order. The number of an invoice that was canceled
 * before it reached anyone counts as unused.
 */
export async function usedNumbers(ctx: Ctx, trackId: string): Promise<number[]> {
  const { rows } = await sql<{
    digits: number;
  }>`select substr(number, 3)::int as digits from einvoice where track_id = ${trackId} and state <> 'dropped' order by number`.execute(
    ctx.db,
  );
  return rows.map(({ digits }) => digits);
}
export async function markReported(ctx: Ctx, trackIds: readonly string[]): Promise<void> {
  await sql`update einvoice_track set unused_reported_at = ${ctx.now} where id = any(${[...trackIds]}::text[])`.execute(
    ctx.db,
  );
}
