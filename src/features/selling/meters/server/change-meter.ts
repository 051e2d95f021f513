// Creates, changes and deletes meters.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isUniqueViolation, lockUntilEnd, ReadAgain } from '#platform/server/unit-of-work/unit-of-work.ts';
import { meterErrors, type DataSchema, type Definition, type Meter, type meters } from '../contract.ts';
import { changedDefinition, definitionIssue, differingFields, isMeterKey, normalized } from '../rules.ts';
import { compileSchema } from './data-schema.ts';
import { getMeter } from './read-meters.ts';
import { deleteMeterRow, hasKey, insertMeter, lockedMeter, sameDefinition, updateMeterRow } from './store.ts';

/** Creates a meter. */
export async function createMeter(ctx: Ctx, input: In<typeof meters.createMeter>): Promise<Meter> {
  const { key, name, dataSchema } = input;
  if (!isMeterKey(key)) throw domainError(meterErrors, 'meters.key_wrong', {}, ['key']);
  const definition = await usableDefinition(ctx, { ...input, dimensions: input.dimensions ?? [] }, null);
  assertSchema(dataSchema);
  if (await hasKey(ctx, key)) throw domainError(meterErrors, 'meters.key_taken', { key }, ['key']);
  const meterId = ctx.newId('mtr');
  await unlessTaken(
    insertMeter(ctx, meterId, { key, name, ...definition, ...(dataSchema && { dataSchema }) }),
  );
  ctx.audit('meters.createMeter', meterId);
  return getMeter(ctx, { meterId });
}

/** Changes a meter; throws if another user changed it after the version that this change is based on. */
export async function updateMeter(ctx: Ctx, input: In<typeof meters.updateMeter>): Promise<Meter> {
  const { meterId, version, ...change } = input;
  const before = await requireLocked(ctx, meterId);
  if (version !== undefined && version !== before.version)
    throw domainError(meterErrors, 'meters.changed_meanwhile', { name: before.name });
  const wanted = changedDefinition(before, change);
  const fields = differingFields(normalized(before), normalized(wanted));
  if (fields.length > 0 && before.usedBy > 0)
    throw domainError(meterErrors, 'meters.fixed', { name: before.name, count: before.usedBy }, fields);
  const definition = fields.length > 0 ? await usableDefinition(ctx, wanted, meterId) : normalized(before);
  assertSchema(change.dataSchema ?? undefined);
  const dataSchema = change.dataSchema === undefined ? before.dataSchema : (change.dataSchema ?? undefined);
  const after = { name: change.name ?? before.name, ...definition, ...(dataSchema && { dataSchema }) };
  await unlessTaken(updateMeterRow(ctx, meterId, after));
  ctx.audit('meters.updateMeter', meterId, {
    changed: [
      ...(change.name === undefined || change.name === before.name ? [] : ['name']),
      ...fields,
      ...(change.dataSchema === undefined ? [] : ['dataSchema']),
    ],
  });
  return getMeter(ctx, { meterId });
}

/** Deletes a meter that no service uses. */
export async function deleteMeter(ctx: Ctx, { meterId }: In<typeof meters.deleteMeter>): Promise<null> {
  const { name, key, usedBy } = await requireLocked(ctx, meterId);
  if (usedBy > 0) throw domainError(meterErrors, 'meters.still_used', { name, count: usedBy });
  await deleteMeterRow(ctx, meterId);
  ctx.audit('meters.deleteMeter', meterId, { key });
  return null;
}

async function requireLocked(ctx: Ctx, meterId: string): Promise<Meter> {
  const meter = await lockedMeter(ctx, meterId);
  if (!meter) throw domainError(meterErrors, 'meters.not_found');
  return meter;
}

/**
 * Returns a definition in its canonical form; throws if it cannot be measured, or if another meter already
 * measures it.
 */
async function usableDefinition(
  ctx: Ctx,
  definition: Definition,
  besides: Id<'mtr'> | null,
): Promise<Definition> {
  const fault = definitionIssue(definition);
  if (fault) throw domainError(meterErrors, fault.code, fault.params ?? {}, [fault.field]);
  const stored = normalized(definition);
  // Otherwise two Admins could concurrently find no other meter with this definition.
  await lockUntilEnd(ctx, 'meter definitions');
  const same = await sameDefinition(ctx, stored, besides);
  if (same) throw domainError(meterErrors, 'meters.same_definition', same, ['eventType']);
  return stored;
}

/**
 * Retries the unit of work if a service created concurrently has added a meter with the same key or
 * definition; the check before the write then finds that meter.
 */
async function unlessTaken(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    throw isUniqueViolation(error) ? new ReadAgain('a meter was made meanwhile', { cause: error }) : error;
  }
}

function assertSchema(schema: DataSchema | undefined): void {
  const made = schema && compileSchema(schema);
  if (made && 'reason' in made)
    throw domainError(meterErrors, 'meters.schema_wrong', { reason: made.reason }, ['dataSchema']);
}
