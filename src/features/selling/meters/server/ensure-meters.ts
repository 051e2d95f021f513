// Creates meters that another feature needs, if they are missing.
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { meterErrors, type NewMeter } from '../contract.ts';
import { differingFields, normalized } from '../rules.ts';
import { insertMissingMeters, metersWithKeys } from './store.ts';

/**
 * Creates those of the meters whose keys do not exist. Throws if a key belongs to a meter that measures
 * something else. Takes two statements for any number of meters.
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
