// The meters of charges: existing ones, and those that are created with the service.
import { useQueries } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { queryCache } from '#platform/web/api/queries.ts';
import {
  aggregations,
  type Definition,
  type Meter,
  type NewMeter,
} from '#features/selling/meters/contract.ts';
import { differingFields, normalized } from '#features/selling/meters/rules.ts';
import { metersQueries } from '#features/selling/meters/web/parts.ts';
import type { Meter as ServiceMeter, Service } from '../contract.ts';
import { limitMistake } from '../rules-limits.ts';
import { freeKey } from './charge-fields.ts';
import { withMeterKeys, type MeterKey, type TemplateCard } from './charge-templates.ts';
import type { ServiceForm } from './service-form.ts';

/** A meter as the form knows it. */
export type KnownMeter = Definition & {
  readonly key: string;
  readonly name: string;
  /** Whether it is created together with the service. */
  readonly isPlanned: boolean;
};
const planned = (meter: NewMeter): KnownMeter => ({
  ...meter,
  dimensions: meter.dimensions ?? [],
  isPlanned: true,
});
/** An existing meter. */
export const there = (meter: Meter): KnownMeter => ({ ...meter, isPlanned: false });

/** The meters that a form creates with its service. */
export function usePlannedMeters(form: ServiceForm): readonly KnownMeter[] {
  const newMeters = useWatch({ control: form.control, name: 'newMeters' });
  return newMeters.map(planned);
}

/** The meters with the given keys, by key; `isLoading` while some are still unknown. */
export function useKnownMeters(
  form: ServiceForm,
  keys: readonly string[],
): { readonly meters: ReadonlyMap<string, KnownMeter>; readonly isLoading: boolean } {
  const ofForm = usePlannedMeters(form);
  const wanted = [...new Set(keys)].filter((key) => key !== '');
  const answers = useQueries({
    queries: wanted.map((key) => ({
      ...metersQueries.listMeters({ key }),
      enabled: !ofForm.some((meter) => meter.key === key),
    })),
  });
  const found = answers.flatMap(({ data }) => data?.items ?? []).map(there);
  return {
    meters: new Map([...ofForm, ...found].map((meter) => [meter.key, meter])),
    isLoading: answers.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
  };
}

/** The meter of a charge in the form. */
export function useChargeMeter(
  form: ServiceForm,
  index: number,
): { readonly meter: KnownMeter | undefined; readonly isLoading: boolean } {
  const key = useWatch({ control: form.control, name: `charges.${index}.meter` });
  const { meters, isLoading } = useKnownMeters(form, [key ?? '']);
  return { meter: meters.get(key ?? ''), isLoading };
}

/** A service's unit-bearing fields, with the units of the meters that the charges typed in a form name. */
export function useFormUnits(
  form: ServiceForm,
  { meter, meterUnits }: Pick<Service, 'meter' | 'meterUnits'>,
): Pick<Service, 'meter' | 'meterUnits'> {
  const charges = useWatch({ control: form.control, name: 'charges' });
  const { meters } = useKnownMeters(
    form,
    charges.flatMap((charge) => (charge.kind === 'usage' ? charge.meter : [])),
  );
  const typed = [...meters.values()].map(({ key, unit }) => [key, unit]);
  return { meter, meterUnits: { ...meterUnits, ...Object.fromEntries(typed) } };
}

/** Whether a meter can be a service's own: it counts a single quantity over all its events. */
export const isPlain = ({ aggregation, dimensions, filter }: Definition): boolean =>
  aggregations.some((one) => one === aggregation) && dimensions.length === 0 && filter === undefined;

/** Whether the limit of a rate card can apply to a meter: one that a usage charge names, or a plain one. */
export const isLimitable = (
  meter: Definition & { readonly key: string },
  named: readonly string[],
): boolean => isPlain(meter) || (named.includes(meter.key) && limitMistake(meter.aggregation) === undefined);

/** A plain meter as the meter of a service; undefined if it is not plain. */
export function serviceMeterOf(meter: Definition): ServiceMeter | undefined {
  const aggregation = aggregations.find((one) => one === meter.aggregation);
  if (!aggregation || !isPlain(meter)) return undefined;
  const { eventType, unit, property } = meter;
  return { eventType, aggregation, unit, ...(property !== undefined && { property }) };
}

/** Whether two meters measure the same; their units may be named in two languages. */
export const measureTheSame = (one: NewMeter, other: NewMeter): boolean =>
  differingFields(
    normalized({ ...one, dimensions: one.dimensions ?? [] }),
    normalized({ ...other, dimensions: other.dimensions ?? [] }),
  ).every((field) => field === 'unit');

/** The meter with a key as it currently is on the server. */
export async function fetchMeter(key: string): Promise<Meter | undefined> {
  const { items } = await queryCache.fetchQuery({ ...metersQueries.listMeters({ key }), staleTime: 0 });
  return items[0];
}

/**
 * A template's card with existing meters: one that measures the same is used under its own key, and a key
 * that belongs to another meter is replaced by an unused one.
 */
export async function withMetersThere(card: TemplateCard): Promise<TemplateCard> {
  const found = await Promise.all(
    card.meters.map(async (meter): Promise<readonly [string, MeterKey]> => {
      const { items } = await queryCache.fetchQuery({
        ...metersQueries.listMeters({ q: meter.eventType, limit: 200 }),
        staleTime: 0,
      });
      const same = items.find((one) => measureTheSame(one, meter));
      if (same) return [meter.key, { key: same.key, isThere: true }];
      const taken: string[] = [];
      while (await fetchMeter(freeKey(meter.key, taken))) taken.push(freeKey(meter.key, taken));
      return [meter.key, { key: freeKey(meter.key, taken), isThere: false }];
    }),
  );
  return withMeterKeys(card, new Map(found));
}
