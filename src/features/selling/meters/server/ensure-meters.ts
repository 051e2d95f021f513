// Meters that another feature needs, made where they are missing.
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { meterErrors, type NewMeter } from '../contract.ts';
import { differingFields, normalized } from '../rules.ts';
import { insertMissingMeters, metersWithKeys } from './store.ts';

/**
 * Makes those of the meters whose keys are not there. Throws when a key belongs to a meter that measures something else. Services of
 * any number of meters may be made at once: it takes two statements.
 */
export async function ensureMeters(ctx: Ctx, meters: readonly NewMeter[]): Promise<void> {
  if (meters.length === 0) return;
  await insertMissingMeters(
    ctx,
    meters.map((meter) => ({
      key: meter.key,
      name: meter.name,
      ...normalized({ ...meter, dimensions: meter.dimensions ?? [] }),
    })),
  );
  const there = await metersWithKeys(
    ctx,
    meters.map(({ key }) => key),
  );
  for (const meter of meters) {
    const found = there.get(meter.key);
    const wanted = normalized({ ...meter, dimensions: meter.dimensions ?? [] });
    if (!found || differingFields(normalized(found), wanted).length > 0)
      throw domainError(meterErrors, 'meters.key_taken', { key: meter.key }, ['key']);
  }
}
