// Applies an import: it replaces its billing periods, which are then sold again, in one transaction.
import { failPoint } from '#platform/server/fail-point.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sellPeriod } from './sell.ts';
import type { SourceRow } from './store.ts';
import { endImport, periodsIn, takePeriods, type ImportRow } from './store-imports.ts';

/** Applies an import that was read completely. The caller has locked the source and the import. */
export async function applyTo(ctx: Ctx, source: SourceRow, row: ImportRow): Promise<void> {
  const over = await takePeriods(ctx, row);
  for (const { periodStart } of await periodsIn(ctx, row.id))
    await sellPeriod(ctx, source, { importId: row.id, periodStart });
  for (const id of over) await endImport(ctx, id, 'superseded');
  failPoint(ctx.app, 'cost-imports: an import is about to hold');
  ctx.publish('system/cost-imports', { kind: 'imports' });
}
