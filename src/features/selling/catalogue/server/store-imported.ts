// SQL to find imported services by their external references, with all past prices.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Pricing } from '../contract.ts';

export type ImportedService = {
  readonly id: Id<'svc'>;
  readonly externalRef: string;
  /** All versions of the list price, oldest first. */
  readonly prices: readonly { readonly effectiveFrom: Date; readonly pricing: Pricing }[];
};

/**
 * Returns the services with these external references, or with one of them followed by a number: `ref`,
 * `ref#2`, `ref#3` …
 */
export async function importedServices(ctx: Ctx, refs: readonly string[]): Promise<ImportedService[]> {
  const { rows } = await sql<{
    id: Id<'svc'>;
    external_ref: string;
    effective_from: Date;
    pricing: Pricing;
  }>`select s.id, s.external_ref, p.effective_from, p.pricing from service s join price_version p on p.service_id = s.id
    where s.external_ref is not null and regexp_replace(s.external_ref, '#[0-9]+$', '') = any(${[...refs]}::text[]) order by s.id, p.effective_from`.execute(
    ctx.db,
  );
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, versions]) => ({
    id,
    externalRef: versions[0]?.external_ref ?? '',
    prices: versions.map(({ effective_from, pricing }) => ({ effectiveFrom: effective_from, pricing })),
  }));
}
