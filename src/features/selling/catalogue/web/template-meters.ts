// The meters used by templates of rate cards.
import type { Currency } from '#kernel/money.ts';
import type { Definition } from '#features/selling/meters/contract.ts';
import type { TextKey } from '#platform/web/i18n/i18n.ts';

type Key = TextKey<'catalogue'>;
/**
 * What a template's meter measures; its name and unit are text keys, a unit without a key is the same in
 * every language.
 */
export type MeterSketch = Omit<Definition, 'unit' | 'dimensions'> & {
  readonly name: Key;
  readonly unit: Key | { readonly symbol: string };
  readonly dimensions?: string[];
};

const gigabytes = { symbol: 'GB' } as const;

/** By key. */
export const templateMeters = (currency: Currency) =>
  ({
    vm_hours: {
      name: 'catalogue.template_meter_vm_hours',
      eventType: 'vm.hours',
      aggregation: 'sum',
      unit: 'catalogue.template_unit_hours',
      dimensions: ['size', 'region'],
    },
    vm_disk_gb: {
      name: 'catalogue.template_meter_vm_disk',
      eventType: 'vm.disk',
      aggregation: 'time_weighted_average',
      unit: gigabytes,
    },
    egress_gb: {
      name: 'catalogue.template_meter_egress',
      eventType: 'network.egress',
      aggregation: 'sum',
      unit: gigabytes,
    },
    storage_gb: {
      name: 'catalogue.template_meter_storage',
      eventType: 'storage.size',
      aggregation: 'time_weighted_average',
      unit: gigabytes,
    },
    storage_requests: {
      name: 'catalogue.template_meter_storage_requests',
      eventType: 'storage.request',
      aggregation: 'count',
      unit: 'catalogue.template_unit_requests',
    },
    k8s_vcpu_hours: {
      name: 'catalogue.template_meter_vcpu',
      eventType: 'kubernetes.vcpu',
      aggregation: 'sum',
      unit: 'catalogue.template_unit_vcpu_hours',
    },
    k8s_memory_gb_hours: {
      name: 'catalogue.template_meter_memory',
      eventType: 'kubernetes.memory',
      aggregation: 'sum',
      unit: 'catalogue.template_unit_gb_hours',
    },
    cdn_bandwidth: {
      name: 'catalogue.template_meter_bandwidth',
      eventType: 'cdn.bandwidth',
      aggregation: 'percentile',
      p: 95,
      sampleMinutes: 5,
      unit: { symbol: 'Mbit/s' },
    },
    cdn_requests: {
      name: 'catalogue.template_meter_cdn_requests',
      eventType: 'cdn.requests',
      aggregation: 'sum',
      unit: 'catalogue.template_unit_requests',
    },
    llm_tokens: {
      name: 'catalogue.template_meter_tokens',
      eventType: 'llm.tokens',
      aggregation: 'sum',
      unit: 'catalogue.template_unit_million_tokens',
      dimensions: ['model', 'direction'],
    },
    platform_spend: {
      name: 'catalogue.template_meter_spend',
      eventType: 'platform.spend',
      aggregation: 'sum',
      unit: { symbol: currency },
    },
  }) as const satisfies Record<string, MeterSketch>;
export type TemplateMeter = keyof ReturnType<typeof templateMeters>;
