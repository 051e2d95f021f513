// Queries of meters, and the check of a data schema while it is typed.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { meterErrors, type Meter, type meters } from '../contract.ts';
import { compileSchema } from './data-schema.ts';
import { meterById, pageOfMeters } from './store.ts';

/** One page of all meters. */
export async function listMeters(ctx: Ctx, input: In<typeof meters.listMeters>): Promise<Page<Meter>> {
  return pageOfMeters(ctx, input);
}

/** Returns one meter; throws if it does not exist. */
export async function getMeter(ctx: Ctx, { meterId }: In<typeof meters.getMeter>): Promise<Meter> {
  const meter = await meterById(ctx, meterId);
  if (!meter) throw domainError(meterErrors, 'meters.not_found');
  return meter;
}

/** Validates a JSON Schema while an Admin types it. */
export async function checkDataSchema(
  _ctx: Ctx,
  input: In<typeof meters.checkDataSchema>,
): Promise<Out<typeof meters.checkDataSchema>> {
  const made = compileSchema(input.dataSchema);
  return { reason: 'reason' in made ? made.reason : null };
}
