// SQL of faults, and of retrying failed messages.
import { sql } from 'kysely';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, planPage, searchTotalCap } from '#platform/server/database/paging.ts';
import { monitoringErrors, type Fault, type monitoring } from '../contract.ts';

/** One page of faults. */
export async function listFaults(
  ctx: Ctx,
  input: In<typeof monitoring.listFaults>,
): Promise<Out<typeof monitoring.listFaults>> {
  const plan = planPage(input, { at: { expression: sql`f.at`, cast: 'timestamptz' } }, '-at', sql`f.id`);
  const where = allOf(
    input.source && sql`f.source = ${input.source}`,
    input.q &&
      (input.q.startsWith('req_')
        ? sql`f.request_id = ${input.q}`
        : sql`(f.place ilike ${containsPattern(input.q)} or f.message ilike ${containsPattern(input.q)})`),
  );
  const { rows } = await sql<
    Fault & { sortValue: string | null }
  >`select f.id::text as id, f.at, f.source, f.place, f.request_id as "requestId", f.message, ${plan.sortValue} as "sortValue"
    from fault f where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(
    ctx.db,
  );
  const { rows: counted } = await sql<{
    total: bigint;
  }>`select count(*) as total from (select 1 from fault f where ${where} limit ${searchTotalCap}) as found`.execute(
    ctx.db,
  );
  const page = plan.cut(rows);
  return {
    items: page.rows.map(({ sortValue: _sortValue, ...fault }) => fault),
    nextCursor: page.nextCursor,
    total: Number(counted[0]?.total ?? 0n),
  };
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
