// Converts the metrics of /metrics to OpenTelemetry, so that both report the same figures.
import { ValueType, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Clock } from '../clock.ts';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';

type Metric = MetricObjectWithValues<MetricValue<string>>;
type Value = MetricValueWithName<string>;

const momentOf = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1e6),
];

/** Reads the registry at each export. */
export function metricProducer(registry: Registry, resource: Resource, clock: Clock): MetricProducer {
  const startTime = momentOf(clock.now().getTime());
  return {
    collect: async () => ({
      errors: [],
      resourceMetrics: {
        resource,
        scopeMetrics: [
          {
            scope: { name: 'skytally' },
            metrics: (await registry.getMetricsAsJSON()).map((metric) =>
              dataOf(metric as Metric, startTime, momentOf(clock.now().getTime())),
            ),
          },
        ],
      },
    }),
  };
}

/**
 * One metric with its values. Prometheus summaries have no counterpart; the console uses none, and their
 * values would become gauges.
 */
function dataOf(metric: Metric, startTime: HrTime, endTime: HrTime): MetricData {
  const { name, help, type, values } = metric;
  const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (String(type) === 'histogram')
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogramsOf(values as readonly Value[], name).map(([attributes, value]) => ({
        attributes,
        value,
        startTime,
        endTime,
      })),
    };
  const dataPoints = values.map(({ labels, value }): DataPoint<number> => ({
    attributes: attributesOf(labels),
    value,
    startTime,
    endTime,
  }));
  return String(type) === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

const attributesOf = (labels: Readonly<Partial<Record<string, string | number>>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, String(value)]));

/** Prometheus buckets are cumulative; OpenTelemetry buckets count what lies between two bounds. */
function histogramsOf(values: readonly Value[], name: string): [Record<string, string>, Histogram][] {
  const byLabels = Map.groupBy(values, ({ labels: { le: _bound, ...labels } }) =>
    JSON.stringify(attributesOf(labels), Object.keys(labels).toSorted()),
  );
  return [...byLabels.values()].map((same) => {
    const { le: _bound, ...attributes } = attributesOf(same[0]?.labels ?? {});
    const valueOf = (part: string): number =>
      same.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0;
    const buckets = same
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels, value }) => ({
        bound: labels['le'] === '+Inf' ? Infinity : Number(labels['le']),
        value,
      }))
      .toSorted((a, b) => a.bound - b.bound);
    return [
      attributes,
      {
        buckets: {
          boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite),
          counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
        },
        sum: valueOf('sum'),
        count: valueOf('count'),
      },
    ];
  });
}

/** The unit suffix of a Prometheus name, in UCUM. */
const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '';
