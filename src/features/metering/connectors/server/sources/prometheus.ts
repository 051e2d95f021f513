// Prometheus, VictoriaMetrics and anything else with Prometheus' HTTP API
// (https://prometheus.io/docs/prometheus/latest/querying/api/). Counters are read as raw samples and added up
// here: the server's `increase` extrapolates to the edges of its range, so adjacent windows would not add up
// to the counted total.
import * as z from 'zod/mini';
import { heldOf, riseOf, type Sample } from '../../rules-counter.ts';
import type { PrometheusOptions } from '../../contract-sources.ts';
import type { Window } from '../../rules.ts';
import { askSource } from '../ask-source.ts';
import {
  maxReadings,
  SourceFailure,
  type InventoryItem,
  type Reading,
  type Source,
  type SourceSettings,
} from '../source.ts';
import { configuredItem } from './configured-item.ts';

type Settings = SourceSettings<PrometheusOptions>;

/**
 * How far before a window, in seconds, the sample may lie from which its first rise is measured: scraping may
 * pause this long without losing usage.
 */
const lookBackSeconds = 3600;
/** The sampling interval of a gauge, in seconds. */
const stepSeconds = 60;

const Answer = z.object({
  status: z.string(),
  error: z.optional(z.string()),
  data: z.optional(
    z.object({
      resultType: z.string(),
      result: z.array(
        z.object({
          metric: z.record(z.string(), z.string()),
          values: z.optional(z.array(z.tuple([z.union([z.number(), z.string()]), z.string()]))),
          value: z.optional(z.tuple([z.union([z.number(), z.string()]), z.string()])),
        }),
      ),
    }),
  ),
});
type Series = { readonly metric: Readonly<Record<string, string>>; readonly samples: readonly Sample[] };

async function ask(
  { address, ...settings }: Settings,
  path: string,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
  type = 'matrix',
): Promise<Series[]> {
  const { value } = await askSource(`${address.replace(/\/+$/, '')}/api/v1/${path}`, settings, signal, {
    form,
  });
  const read = z.safeParse(Answer, value);
  if (!read.success) throw new SourceFailure('bad_answer', 'no answer of the Prometheus API');
  const { status, error, data } = read.data;
  if (status !== 'success' || !data) throw new SourceFailure('refused_query', error ?? status);
  if (data.resultType !== type) throw new SourceFailure('refused_query', data.resultType);
  return data.result.map(({ metric, values, value: only }) => ({
    metric,
    samples: (values ?? (only ? [only] : [])).map(([time, text]): Sample => [
      Math.round(Number(time) * 1000),
      text,
    ]),
  }));
}

const seconds = (date: Date): string => String(date.getTime() / 1000);

/** Reads the series of a window; counters include the samples of {@link lookBackSeconds} before it. */
async function seriesOf(settings: Settings, window: Window, signal: AbortSignal): Promise<Series[]> {
  const { mode, query } = settings.options;
  if (mode === 'gauge') {
    const end = seconds(new Date(window.end.getTime() - stepSeconds * 1000));
    const range = { query, start: seconds(window.start), end, step: String(stepSeconds) };
    return ask(settings, 'query_range', range, signal);
  }
  const length = (window.end.getTime() - window.start.getTime()) / 1000 + lookBackSeconds;
  return ask(settings, 'query', { query: `${query}[${length}s]`, time: seconds(window.end) }, signal);
}

function readingOf({ metric, samples }: Series, { options }: Settings, window: Window): Reading | undefined {
  const values =
    options.mode === 'counter' ? risen(riseOf(samples, window)) : heldOf(samples, window, stepSeconds);
  if (!values) return undefined;
  return { resource: resourceOf(metric, options), window, fields: { labels: metric, ...values } };
}

function resourceOf(metric: Series['metric'], { resourceLabels }: PrometheusOptions): string {
  const names = resourceLabels.map((label) => metric[label] ?? '');
  if (names.every((name) => name === ''))
    throw new SourceFailure('bad_answer', `no label ${resourceLabels.join(', ')}`);
  return names.join('/');
}

const risen = (value: string | undefined) => (value === undefined ? undefined : { value });

async function read(settings: Settings, window: Window, signal: AbortSignal): Promise<Reading[]> {
  const series = await seriesOf(settings, window, signal);
  if (series.length > maxReadings) throw new SourceFailure('too_many_readings', String(series.length));
  return series.flatMap((each) => readingOf(each, settings, window) ?? []);
}

/** Reads the series of an instant query: Prometheus omits those without a sample in the last five minutes. */
async function inventory(settings: Settings, signal: AbortSignal): Promise<InventoryItem[] | undefined> {
  const { inventory: asked } = settings.options;
  if (!asked) return undefined;
  const series = await ask(settings, 'query', { query: asked.query }, signal, 'vector');
  if (series.length > maxReadings) throw new SourceFailure('too_many_readings', String(series.length));
  return series.map(({ metric, samples }) =>
    configuredItem(
      resourceOf(metric, settings.options),
      { labels: metric, value: samples[0]?.[1] ?? '' },
      asked.fields,
    ),
  );
}

export const prometheus: Source<PrometheusOptions> = {
  read,
  inventory,
  check: async (settings, window, signal) => `${(await seriesOf(settings, window, signal)).length}`,
};
