// The catalogue as a file for version control: export, plan and apply. A plan is shown first, and applied
// only exactly as shown.
import type { In, Out } from '#kernel/contract.ts';
import { DomainError, domainError, ValidationError } from '#kernel/errors.ts';
import { shortDigest } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  catalogueErrors,
  type catalogue,
  type CatalogueFile,
  type CatalogueFileService,
  type Pricing,
} from '../contract.ts';
import { fileVersion, type CataloguePlan, type PlannedMeter, type PlannedService } from '../contract-file.ts';
import {
  canonical,
  fileMeterOf,
  fileServiceOf,
  isSameMeter,
  plainChanges,
  priceChanges,
} from '../rules-file.ts';
import type { NewMeter } from '#features/selling/meters/contract.ts';
import { allMeters, createMeter } from '#features/selling/meters/server/index.ts';
import { addService, changeService, meterFor, withDefaults } from './change-service.ts';
import { requireLockedService } from './find-service.ts';
import { assertAddOn, assertChargeable, assertSameCurrency } from './price-checks.ts';
import { assertMeters, assertSamePeriods, limitFor, pricingSent } from './rate-cards.ts';
import { priceHistory } from './store-prices.ts';
import { allTableServices, servicesByIdOrRef, type TableService } from './store-table.ts';
import { countServices } from './store.ts';

/** Returns the whole catalogue in file form, ordered by name. */
export async function exportCatalogue(ctx: Ctx): Promise<Out<typeof catalogue.exportCatalogue>> {
  const services = await allTableServices(ctx);
  const named = new Set(
    services.flatMap(({ pricing }) =>
      pricing.model === 'rate_card' ? pricing.charges.flatMap(({ meter }) => meter ?? []) : [],
    ),
  );
  // A service with a single price defines its meter itself.
  const meters = (await allMeters(ctx)).filter(({ key }) => named.has(key));
  return {
    skytallyCatalogue: fileVersion,
    ...(meters.length > 0 && { meters: meters.map(fileMeterOf) }),
    services: services.map(fileServiceOf),
  };
}

/** Plans a file by applying it and rolling back. Fails in the same cases as applying it. */
export function planCatalogue(
  ctx: Ctx,
  { file }: In<typeof catalogue.planCatalogue>,
): Promise<CataloguePlan> {
  return tryOut(ctx, (trial) => applied(trial, file, undefined));
}

/**
 * Applies a file as its plan was shown; repeating it has no effect. Refused if the catalogue or the file has
 * changed since the plan.
 */
export async function applyCatalogue(
  ctx: Ctx,
  { file, planId }: In<typeof catalogue.applyCatalogue>,
): Promise<CataloguePlan> {
  const shown = await applied(ctx, file, planId);
  const { created, updated, unchanged } = shown;
  ctx.audit('catalogue.applyCatalogue', undefined, { planId, created, updated, unchanged });
  return shown;
}

/** `planId` identifies the plan that was shown; undefined while planning. */
async function applied(ctx: Ctx, file: CatalogueFile, planId: string | undefined): Promise<CataloguePlan> {
  // Two files applied concurrently would both create a service that neither has found.
  await lockUntilEnd(ctx, 'catalogue import');
  const { shown, steps, newMeters } = await planOf(ctx, file);
  if (planId !== undefined && shown.planId !== planId)
    throw domainError(catalogueErrors, 'catalogue.plan_changed', {}, ['planId']);
  for (const meter of newMeters) await createMeter(ctx, meter);
  for (const step of steps) await applyStep(ctx, step);
  return shown;
}

type Step = {
  readonly entry: CatalogueFileService;
  readonly existing: TableService | undefined;
  readonly pricing: Pricing;
  readonly planned: PlannedService;
};

async function planOf(
  ctx: Ctx,
  { meters = [], services }: CatalogueFile,
): Promise<{ shown: CataloguePlan; steps: readonly Step[]; newMeters: readonly NewMeter[] }> {
  const existing = new Map((await allMeters(ctx)).map((meter) => [meter.key, meter]));
  const newMeters = meters.filter(({ key }) => !existing.has(key));
  for (const [index, meter] of meters.entries()) {
    const known = existing.get(meter.key);
    if (known && !isSameMeter(known, meter))
      throw domainError(catalogueErrors, 'catalogue.file_meter_differs', { key: meter.key }, [
        `file.meters.${index}.key`,
      ]);
  }
  const found = await servicesByIdOrRef(ctx, services);
  const steps: Step[] = [];
  const named = new Set<string>();
  for (const [index, entry] of services.entries()) {
    const step = await planService(ctx, entry, found, newMeters, `file.services.${index}`);
    const name = step.existing?.id ?? `ref ${entry.ref}`;
    if (named.has(name)) throw wrong(`file.services.${index}.ref`, 'catalogue.file_named_twice');
    named.add(name);
    steps.push(step);
  }
  const count = (action: PlannedService['action']): number =>
    steps.filter(({ planned }) => planned.action === action).length;
  const plan = {
    created: count('create'),
    updated: count('update'),
    unchanged: count('unchanged'),
    notNamed: (await countServices(ctx, {})) - (steps.length - count('create')),
    meters: meters.map(({ key, name }): PlannedMeter => ({
      key,
      name,
      action: existing.has(key) ? 'unchanged' : 'create',
    })),
    services: steps.map(({ planned }) => planned),
  };
  // The digest covers what was shown and what it was based on: a change of either makes a different plan.
  const seen = canonical([
    plan.meters,
    plan.services,
    steps.map(({ existing }) => existing?.version ?? null),
  ]);
  return {
    shown: { planId: shortDigest(seen), ...plan },
    steps,
    newMeters,
  };
}

const wrong = (field: string, code: keyof typeof catalogueErrors & string) =>
  domainError(catalogueErrors, code, {}, [field]);

async function planService(
  ctx: Ctx,
  entry: CatalogueFileService,
  found: readonly TableService[],
  newMeters: readonly NewMeter[],
  at: string,
): Promise<Step> {
  const existing = found.find(
    (each) => each.id === entry.id || (entry.ref !== undefined && each.externalRef === entry.ref),
  );
  if ((entry.id === undefined) === (entry.ref === undefined))
    throw wrong(`${at}.ref`, 'catalogue.file_ref_or_id');
  if (entry.id !== undefined && !existing) throw wrong(`${at}.id`, 'catalogue.service_not_found');
  const { pricing, quota } = await inFile(at, async () => {
    const sent = pricingSent(entry, existing?.pricing.currency);
    if (!sent) throw new ValidationError([{ field: 'pricing', code: 'platform.field_required' }]);
    assertChargeable({ ...entry, pricing: sent }, existing?.pricing);
    if (existing) assertSameCurrency(sent, existing.pricing.currency);
    const own = existing?.meter ?? (await meterFor(ctx, sent, entry, newMeters));
    const limit = await limitFor(ctx, entry.quota, sent, own, {
      newMeters,
      ...(existing && { before: existing.quota }),
    });
    assertAddOn(entry.addOnTo, { pricing: sent, meter: own, quota: entry.quota });
    if (existing) {
      await assertSamePeriods(ctx, existing.id, sent);
      await assertMeters(ctx, sent, newMeters);
    }
    return { pricing: sent, quota: limit };
  });
  const limited = { ...entry, ...(quota && { quota }) };
  if (!existing) {
    const changes = [...plainChanges(undefined, limited), ...priceChanges(undefined, pricing)];
    const planned = plannedOf(entry, undefined, true, entry.effectiveFrom, changes);
    return { entry: limited, existing, pricing, planned };
  }
  if (entry.meter && canonical(entry.meter) !== canonical(existing.meter))
    throw wrong(`${at}.meter`, 'catalogue.file_meter_fixed');
  const later = entry.effectiveFrom && entry.effectiveFrom > ctx.now ? entry.effectiveFrom : undefined;
  const history = await priceHistory(ctx, existing.id);
  const before = history.find(({ effectiveFrom }) => effectiveFrom <= (later ?? ctx.now))?.pricing;
  const ofPrice = priceChanges(before ?? existing.pricing, pricing);
  const changes = [...plainChanges(existing, limited), ...ofPrice];
  const planned = plannedOf(entry, existing, ofPrice.length > 0, later, changes);
  return { entry: limited, existing, pricing, planned };
}

/** Adds the position in the file to the fields of an error. */
async function inFile<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ValidationError)
      throw new ValidationError(error.fields.map((each) => ({ ...each, field: `${at}.${each.field}` })));
    if (error instanceof DomainError)
      throw new DomainError(
        error.code,
        error.status,
        error.params,
        error.fields.map((field) => `${at}.${field}`),
      );
    throw error;
  }
}

const plannedOf = (
  entry: CatalogueFileService,
  existing: TableService | undefined,
  newPrice: boolean,
  newPriceFrom: Date | undefined,
  changes: PlannedService['changes'],
): PlannedService => ({
  name: entry.name,
  ref: entry.ref ?? null,
  serviceId: existing?.id ?? null,
  action: !existing ? 'create' : changes.length === 0 ? 'unchanged' : 'update',
  newPrice,
  newPriceFrom: newPrice ? (newPriceFrom ?? null) : null,
  changes,
});

async function applyStep(ctx: Ctx, { entry, existing, pricing, planned }: Step): Promise<void> {
  if (planned.action === 'unchanged') return;
  const {
    id: _id,
    ref,
    charges: _charges,
    currency: _currency,
    minimum: _min,
    maximum: _max,
    ...fields
  } = entry;
  if (!existing) {
    const service = withDefaults({ ...fields, meter: await meterFor(ctx, pricing, entry) });
    await addService(ctx, { ...service, externalRef: ref ?? null }, pricing, entry.effectiveFrom ?? ctx.now);
    return;
  }
  const { meter, pricing: _pricing, effectiveFrom: _from, ...own } = fields;
  await changeService(ctx, await requireLockedService(ctx, existing.id), {
    ...withDefaults({ ...own, meter: meter ?? existing.meter }),
    ...(planned.newPrice && {
      pricing,
      ...(planned.newPriceFrom && { effectiveFrom: planned.newPriceFrom }),
    }),
  });
}
