// SQL of unexpected errors, and of retrying failed messages.
import { sql } from 'kysely';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import { monitoringErrors, type UnexpectedError, type monitoring } from '../contract.ts';

const order: ListOrder = {
  by: { at: { expression: sql`f.at`, cast: 'timestamptz' } },
  usual: '-at',
  id: sql`f.id`,
};

/** One page of unexpected errors. */
export function listFaults(
  ctx: Ctx,
  input: In<typeof monitoring.listFaults>,
): Promise<Out<typeof monitoring.listFaults>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: sql<UnexpectedError>`f.id::text as id, f.at, f.source, f.place, f.request_id as "requestId", f.message`,
    from: sql`fault f`,
    where: allOf(
      input.source && sql`f.source = ${sql.lit(input.source)}`,
      input.q?.startsWith('req_')
        ? sql`f.request_id = ${input.q}`
        : pattern && sql`(f.place ilike ${pattern} or f.message ilike ${pattern})`,
    ),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, rowItself);
}

/** Retries the failed messages of a kind, starting again with the first attempt. */
export async function retryParked(
  ctx: Ctx,
  { kind }: In<typeof monitoring.retryParked>,
): Promise<Out<typeof monitoring.retryParked>> {
  const { rows } = await sql<{
    count: bigint;
  }>`with again as (update outbox set parked_at = null, attempts = 0, due_at = ${ctx.now} where kind = ${kind} and parked_at is not null returning 1) select count(*) as count from again`.execute(
    ctx.db,
  );
  const retried = Number(rows[0]?.count ?? 0n);
  const known =
    retried > 0 ||
    (await sql`select 1 from outbox where kind = ${kind} limit 1`.execute(ctx.db)).rows.length > 0;
  if (!known) throw domainError(monitoringErrors, 'monitoring.lane_unknown');
  ctx.audit('monitoring.retryParked', kind, { retried });
  return { retried };
}
