// Saves the form of a service: first the missing meters that its charges use, then the service.
import type { In } from '#kernel/contract.ts';
import { isDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { schemaOf } from '#features/selling/meters/rules.ts';
import { metersApi, metersKey } from '#features/selling/meters/web/parts.ts';
import type { catalogue, Service } from '../contract.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import { fetchMeter, measureTheSame, serviceMeterOf } from './known-meters.ts';
import {
  commas,
  fieldNamed,
  lines,
  listOf,
  mayHaveLimit,
  meterOf,
  metersToMake,
  pricingOf,
  quotaOf,
  samePrice,
  type ServiceFields,
} from './service-fields.ts';

/** An error with other field names. */
export function withFields(error: unknown, named: (field: string) => string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId, cause } = error;
  return new ApiError({
    status,
    code,
    message,
    requestId,
    cause,
    errors: error.errors.map((one) => ({ ...one, field: named(one.field) })),
  });
}

/** The fields of a service other than its price and meter. */
function ownFields(fields: ServiceFields) {
  const { name, type, category, description, status, releaseState, billingCycle, proration } = fields;
  const { family, addOnTo, popular, recommended, requiresPrepaidCredit } = fields;
  return {
    name,
    type,
    category,
    description,
    status,
    releaseState,
    billingCycle,
    proration,
    family,
    addOnTo,
    trialDays: Number(fields.trialDays),
    popular,
    recommended,
    requiresPrepaidCredit,
    quota: quotaOf(fields),
    features: listOf(fields.features, lines),
    tags: listOf(fields.tags, commas),
  };
}

/**
 * The meter sent with a new service: a single price's own, or the one to which a rate card's limit applies.
 */
async function meterSent(
  fields: ServiceFields,
): Promise<Pick<In<typeof catalogue.createService>, 'meter' | 'quota'>> {
  if (fields.priceForm === 'single') return { meter: meterOf(fields) };
  if (fields.quotaType === 'unlimited' || !mayHaveLimit(fields)) return {};
  const limited = await fetchMeter(fields.quotaMeter);
  const meter = limited && serviceMeterOf(limited);
  // A meter with dimensions or a filter cannot be the service's own, so the limit names it.
  return meter ? { meter } : { quota: quotaOf(fields, true) };
}

/**
 * Saves the form; rejects with the server's error at the form's fields. Created meters are kept even if the
 * service is rejected, and `onMeterThere` is called for each.
 */
export function useSaveService(
  service: Service | undefined,
  initial: ServiceFields,
  onMeterThere: (key: string) => void,
): (fields: ServiceFields) => Promise<unknown> {
  // A new service may create its own meter.
  const invalidates = [catalogueKey(), metersKey()];
  const timeZone = useBrand((brand) => brand.timeZone);
  const createMeter = useCall(metersApi.createMeter, { invalidates: [metersKey()] });
  const create = useCall(catalogueApi.createService, { invalidates });
  const update = useCall(catalogueApi.updateService, { invalidates });

  const makeMeters = async (fields: ServiceFields): Promise<void> => {
    for (const meter of metersToMake(fields)) {
      const there = await fetchMeter(meter.key);
      try {
        if (!there || !measureTheSame(there, meter)) await createMeter.mutateAsync(meter);
        onMeterThere(meter.key);
      } catch (error) {
        const index = fields.charges.findIndex((charge) => charge.meter === meter.key);
        throw withFields(error, () => (index < 0 ? 'quotaMeter' : `charges.${index}.meter`));
      }
    }
  };
  const saveService = async (fields: ServiceFields): Promise<unknown> => {
    const pricing = pricingOf(fields);
    // The form's schema has already checked this; the condition satisfies the type checker.
    if (!pricing) throw new Error('the price is not complete');
    if (!service) return create.mutateAsync({ ...ownFields(fields), pricing, ...(await meterSent(fields)) });
    const newPrice = samePrice(fields, initial)
      ? {}
      : {
          pricing,
          ...(isDay(fields.beginsOn) && { effectiveFrom: dayPeriod(fields.beginsOn, timeZone).start }),
        };
    const newSchema =
      fields.dataSchema === initial.dataSchema ? {} : { dataSchema: schemaOf(fields.dataSchema) ?? null };
    return update.mutateAsync({
      serviceId: service.id,
      version: service.version,
      ...ownFields(fields),
      ...newSchema,
      ...newPrice,
    });
  };
  return async (fields) => {
    await makeMeters(fields);
    try {
      return await saveService(fields);
    } catch (error) {
      throw withFields(error, fieldNamed);
    }
  };
}
