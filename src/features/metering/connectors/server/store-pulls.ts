// SQL of pulled windows.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import { readPage, type ListOrder, type PageInput } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Pull, pullKinds } from '../contract.ts';
import type { FailureCode } from '../contract-sources.ts';

export type PullCounts = {
  readonly readings: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly differing: number;
  readonly waiting: number;
  readonly ignored: number;
};
export const noCounts: PullCounts = {
  readings: 0,
  accepted: 0,
  duplicates: 0,
  differing: 0,
  waiting: 0,
  ignored: 0,
};
type PullRow = Omit<Pull, 'failure'> & { failureCode: FailureCode | null; failureDetail: string | null };

export async function insertPull(
  ctx: Ctx,
  connectorId: string,
  pull: PullCounts & {
    readonly kind: (typeof pullKinds)[number];
    readonly start: Date;
    readonly end: Date;
    readonly failure: { readonly code: FailureCode; readonly detail: string } | null;
  },
): Promise<void> {
  await sql`insert into connector_pull (id, connector_id, kind, start_at, end_at, ended_at, readings, accepted, duplicates, differing, waiting, ignored, failure_code, failure_detail)
    values (${ctx.newId('cpl')}, ${connectorId}, ${pull.kind}, ${pull.start}, ${pull.end}, ${ctx.now}, ${pull.readings}, ${pull.accepted}, ${pull.duplicates}, ${pull.differing}, ${pull.waiting}, ${pull.ignored}, ${pull.failure?.code ?? null}, ${pull.failure?.detail ?? null})`.execute(
    ctx.db,
  );
}

const order: ListOrder = {
  by: {
    endedAt: { expression: sql`p.ended_at`, cast: 'timestamptz' },
    start: { expression: sql`p.start_at`, cast: 'timestamptz' },
  },
  usual: '-endedAt',
  id: sql`p.id`,
};

/** Returns one page of a connector's pulls. */
export const pageOfPulls = (ctx: Ctx, connectorId: Id<'con'>, input: PageInput): Promise<Page<Pull>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: sql<PullRow>`p.id, p.kind, p.start_at as start, p.end_at as "end", p.ended_at as "endedAt", p.readings, p.accepted, p.duplicates, p.differing, p.waiting, p.ignored, p.failure_code as "failureCode", p.failure_detail as "failureDetail"`,
      from: sql`connector_pull p`,
      where: sql`p.connector_id = ${connectorId}`,
      order,
    },
    ({ failureCode, failureDetail, ...row }): Pull => ({
      id: row.id,
      kind: row.kind,
      start: row.start,
      end: row.end,
      endedAt: row.endedAt,
      readings: row.readings,
      accepted: row.accepted,
      duplicates: row.duplicates,
      differing: row.differing,
      waiting: row.waiting,
      ignored: row.ignored,
      failure: failureCode === null ? null : { code: failureCode, detail: failureDetail ?? '' },
    }),
  );

/** Deletes the pulls that ended before a given time. */
export async function forgetPulls(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from connector_pull where ended_at < ${before}`.execute(ctx.db);
}
