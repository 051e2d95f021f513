// Metered values of an OpenStack: measures of Gnocchi (https://gnocchi.osci.io/rest.html) and dataframes of CloudKitty v2
// (https://docs.openstack.org/cloudkitty/latest/api-reference/v2/).
import pLimit from 'p-limit';
import * as z from 'zod/mini';
import type { OpenStackOptions } from '../../contract-sources.ts';
import { fieldText, type Window } from '../../rules.ts';
import { totalsOf, type Average } from '../../rules-averages.ts';
import { utcMoment } from '../../rules-lifetime.ts';
import { maxReadings, SourceFailure, type Reading } from '../source.ts';
import type { SourceAnswer } from '../ask-source.ts';
import { allPages, answerAs, pathWith, type Cloud } from './keystone.ts';

const pageSize = 1000;
const atOnce = 8;
/** Gnocchi's status for an unknown resource type, aggregation or granularity. */
const refusals = { accepts: [404] };

const Resource = z.looseObject({
  id: z.string(),
  original_resource_id: z.nullish(z.string()),
  project_id: z.nullish(z.string()),
  display_name: z.nullish(z.string()),
  flavor_name: z.nullish(z.string()),
  ended_at: z.nullish(z.string()),
  metrics: z.record(z.string(), z.string()),
});
/** Gnocchi's error body. */
const Refusal = z.object({
  description: z.union([z.string(), z.looseObject({ cause: z.optional(z.string()) })]),
});
const Measures = z.array(z.tuple([z.string(), z.number(), z.union([z.number(), z.string()])]));

/**
 * Reads the measures of a metric for every resource of a type, including those that ended within the window.
 */
export async function readGnocchi(
  cloud: Cloud,
  { metric, resourceType, aggregation, granularitySeconds }: OpenStackOptions,
  window: Window,
): Promise<Reading[]> {
  const resources = await allPages(
    async (marker) => {
      const query = { limit: String(pageSize), sort: 'id:asc', marker };
      const path = pathWith(`/v1/resource/${encodeURIComponent(resourceType)}`, query);
      const answer = await cloud.ask('metric', path, refusals);
      const items = measured(z.array(Resource), answer, 'resources of Gnocchi');
      // A server may return shorter pages than requested (`max_limit`).
      return { items, hasNext: answer.nextLink !== undefined };
    },
    ({ id }) => id,
  );
  const wanted = resources.filter(({ ended_at, metrics }) => {
    const endedAt = utcMoment(ended_at);
    return metrics[metric] !== undefined && (endedAt === null || endedAt > window.start);
  });
  if (wanted.length > maxReadings) throw new SourceFailure('too_many_readings', String(wanted.length));
  const limit = pLimit(atOnce);
  const readings = await Promise.all(
    wanted.map((resource) =>
      limit(async (): Promise<Reading[]> => {
        const path = pathWith(`/v1/metric/${encodeURIComponent(resource.metrics[metric] ?? '')}/measures`, {
          start: window.start.toISOString(),
          stop: window.end.toISOString(),
          granularity: String(granularitySeconds),
          aggregation,
          // Includes values that were sent but not yet processed into measures; without it, a busy Gnocchi
          // would return less than it was given.
          refresh: 'true',
        });
        const measures = measured(Measures, await cloud.ask('metric', path, refusals), 'measures of Gnocchi');
        const totals = totalsOf(
          measures
            .filter(([, granularity]) => granularity === granularitySeconds)
            .map(([at, seconds, value]): Average => ({ atMs: momentOf(at).getTime(), seconds, value })),
          window,
        );
        if (!totals) return [];
        const { metrics: _metrics, ...fields } = resource;
        return [
          {
            resource: resource.id,
            window,
            fields: {
              ...fields,
              name: resource.display_name ?? '',
              project: resource.project_id ?? '',
              size: resource.flavor_name ?? '',
              ...totals,
            },
          },
        ];
      }),
    ),
  );
  return readings.flat();
}

/**
 * Parses a response of Gnocchi with its schema. @throws SourceFailure with Gnocchi's message when it rejected
 * the request
 */
function measured<T extends z.core.$ZodType>(form: T, answer: SourceAnswer, what: string): z.output<T> {
  if (answer.status !== 404) return answerAs(form, answer, what);
  const refusal = z.safeParse(Refusal, answer.value);
  const { description } = refusal.success ? refusal.data : { description: '404' };
  throw new SourceFailure(
    'refused_query',
    typeof description === 'string' ? description : (description.cause ?? JSON.stringify(description)),
  );
}

function momentOf(text: string): Date {
  const at = utcMoment(text);
  if (!at) throw new SourceFailure('bad_answer', `no time: ${text}`);
  return at;
}

const Frames = z.object({
  total: z.int(),
  dataframes: z.array(
    z.object({
      period: z.object({ begin: z.string(), end: z.string() }),
      usage: z.record(
        z.string(),
        z.array(
          z.object({
            vol: z.object({ unit: z.nullish(z.string()), qty: z.union([z.number(), z.string()]) }),
            rating: z.nullish(z.object({ price: z.nullish(z.union([z.number(), z.string()])) })),
            groupby: z.record(z.string(), z.unknown()),
            metadata: z.record(z.string(), z.unknown()),
          }),
        ),
      ),
    }),
  ),
});

/** Reads the dataframes of a metric whose period starts in the window. */
export async function readCloudKitty(
  cloud: Cloud,
  { metric }: OpenStackOptions,
  window: Window,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  // Pages shift if frames are written while they are read: a frame on two pages is recognized by its period
  // and resource.
  for (let offset = 0; ;) {
    const path = pathWith('/v2/dataframes', {
      begin: window.start.toISOString(),
      end: window.end.toISOString(),
      filters: `type:${metric}`,
      limit: String(pageSize),
      offset: String(offset),
    });
    const answer = await cloud.ask('rating', path, { accepts: [404] });
    // CloudKitty responds with 404 for a period without frames.
    if (answer.status === 404) break;
    const { total, dataframes } = answerAs(Frames, answer, 'dataframes of CloudKitty');
    const points = dataframes.flatMap(({ period, usage }) =>
      (usage[metric] ?? []).map((point) => ({ period, point })),
    );
    readings.push(...points.flatMap((each) => frameReading(each, window)));
    if (readings.length > maxReadings) throw new SourceFailure('too_many_readings', String(readings.length));
    const count = dataframes.reduce((sum, { usage }) => sum + Object.values(usage).flat().length, 0);
    offset += count;
    if (count === 0 || offset >= total) break;
  }
  return readings;
}

type Frame = z.output<typeof Frames>['dataframes'][number];
function frameReading(
  { period, point }: { period: Frame['period']; point: Frame['usage'][string][number] },
  window: Window,
): Reading[] {
  const [start, end] = [momentOf(period.begin), momentOf(period.end)];
  if (start < window.start || start >= window.end) return [];
  const resource = fieldText(point.groupby, 'id');
  if (resource === undefined) throw new SourceFailure('bad_answer', 'no groupby.id in a dataframe');
  const project = fieldText(point.groupby, 'project_id') ?? fieldText(point.groupby, 'tenant_id') ?? '';
  const { qty, unit } = point.vol;
  const size = fieldText(point.metadata, 'flavor_name') ?? '';
  const fields = { ...point, id: resource, project, size, quantity: qty, unit: unit ?? '' };
  return [{ resource, window: { start, end }, fields }];
}
