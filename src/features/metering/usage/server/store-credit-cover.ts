// SQL of prepaid credit cover: which services' events are counted, and whose cover has to be recomputed.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** A service of an organization. */
export type CoveredPair = { readonly organizationId: string; readonly serviceId: string };
export const coverKey = ({ organizationId, serviceId }: CoveredPair): string =>
  `${organizationId} ${serviceId}`;

/**
 * Returns the services of organizations that have prepaid credit left, as {@link coverKey}. Pairs whose cover
 * was never computed are not included, so that no uncovered usage is counted. Without pairs, nothing is read.
 */
export async function pairsWithCredit(ctx: Ctx, pairs: readonly CoveredPair[]): Promise<ReadonlySet<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await sql<CoveredPair>`--hot credit-cover
    select organization_id as "organizationId", service_id as "serviceId" from credit_cover
    where stopped_at is null and (organization_id, service_id) in (select * from unnest(${pairs.map((pair) => pair.organizationId)}::text[], ${pairs.map((pair) => pair.serviceId)}::text[]))`.execute(
    ctx.db,
  );
  return new Set(rows.map(coverKey));
}

/** Requests that organizations' cover is recomputed after this unit of work commits. */
export async function askCreditChecks(ctx: Ctx, organizationIds: ReadonlySet<string>): Promise<void> {
  if (organizationIds.size === 0) return;
  await sql`--hot credit-check
    insert into credit_check (organization_id) select unnest(${[...organizationIds].toSorted()}::text[])`.execute(
    ctx.db,
  );
}
