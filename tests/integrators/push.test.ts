// Configurations of collectors: each is read, and the request that its program’s documentation describes is
// sent to a running console. The programs themselves are not available here, which
// docs/integrator/push/README.md says.
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Id } from '#kernel/ids.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { meteredConsole } from '../support/metered-console.ts';

const folder = 'docs/integrator/push';
const text = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');

let console: TestConsole;
let key: string;
let subscriptionId: Id<'sub'>;
beforeAll(async () => {
  console = await createTestConsole(new Date());
  ({ key, subscriptionId } = await meteredConsole(console));
});

/** What a configuration says about its request. */
type Request = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly source: string;
  readonly batch: number;
};
type Sink = {
  uri: string;
  method: string;
  encoding: { codec: string };
  request: { headers: Record<string, string> };
  batch: { max_events: number };
};
const vector = (name: string): Request => {
  const { sinks, transforms } = parse(text(name)) as {
    sinks: { skytally: Sink };
    transforms: { events: { source: string } };
  };
  const { uri, method, encoding, request, batch } = sinks.skytally;
  // https://vector.dev/docs/reference/configuration/sinks/http/: codec json without another framing makes a JSON array.
  expect([method, encoding]).toEqual(['post', { codec: 'json' }]);
  return {
    url: uri,
    headers: request.headers,
    source: /"source": "([^"]+)"/.exec(transforms.events.source)?.[1] ?? '',
    batch: batch.max_events,
  };
};
function fluentBit(): Request {
  const output = text('fluent-bit.conf').split('[OUTPUT]')[1] ?? '';
  const valuesOf = (name: string): string[] =>
    [...output.matchAll(new RegExp(`^\\s*${name}\\s+(.+)$`, 'gm'))].map((match) => match[1]?.trim() ?? '');
  expect([valuesOf('format'), valuesOf('json_date_key'), valuesOf('tls')]).toEqual([
    ['json'],
    ['false'],
    ['on'],
  ]);
  return {
    // Fluent Bit has separate settings for host and port; the address in the example is a placeholder for the
    // console’s.
    url: `\${SKYTALLY_ADDRESS}${valuesOf('uri')[0] ?? ''}`,
    headers: Object.fromEntries(
      valuesOf('header').map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
    ),
    source: /source = "([^"]+)"/.exec(text('fluent-bit.lua'))?.[1] ?? '',
    // A chunk has at most two megabytes:
    // https://docs.fluentbit.io/manual/administration/buffering-and-storage
    batch: 5000,
  };
}
function connect(): Request {
  const { output, pipeline } = parse(text('connect.yaml')) as {
    output: {
      http_client: {
        url: string;
        verb: string;
        headers: Record<string, string>;
        batching: { count: number; processors: unknown[] };
      };
    };
    pipeline: { processors: { mapping: string }[] };
  };
  const { url, verb, headers, batching } = output.http_client;
  expect([verb, batching.processors]).toEqual(['POST', [{ archive: { format: 'json_array' } }]]);
  return {
    url,
    headers,
    source: /"source": "([^"]+)"/.exec(pipeline.processors[0]?.mapping ?? '')?.[1] ?? '',
    batch: batching.count,
  };
}

const programs = [
  ['Vector', () => vector('vector.yaml')],
  ['Vector behind an OpenTelemetry Collector', () => vector('vector-from-otel.yaml')],
  ['Fluent Bit', fluentBit],
  ['Redpanda Connect', connect],
] as const;

async function send(
  { url, headers }: Request,
  events: readonly object[],
): Promise<{ status: number; data: unknown }> {
  const filled = (value: string): string =>
    value.replace('${SKYTALLY_ADDRESS}', console.address).replace('${SKYTALLY_KEY}', key);
  const response = await fetch(filled(url), {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    body: JSON.stringify(events),
  });
  return { status: response.status, data: ((await response.json()) as { data: unknown }).data };
}
const eventOf = (source: string, id: string) => ({
  specversion: '1.0',
  id,
  source,
  type: 'call',
  subject: subscriptionId,
  time: new Date(Date.now() - 60_000).toISOString(),
  data: { value: '3' },
});

describe('configurations of collectors', () => {
  it.each(programs)(
    'T-PUSH: the request of %s is accepted, also as a whole batch, and counts once when it is repeated',
    async (_name, requestOf) => {
      const request = requestOf();
      expect(request.source).toMatch(/^\/[a-z-]+$/);
      const events = Array.from({ length: request.batch }, (_, place) =>
        eventOf(request.source, `u-${place}`),
      );
      expect(await send(request, events)).toEqual({
        status: 202,
        data: { accepted: request.batch, duplicates: 0, rejected: [] },
      });
      expect(await send(request, events)).toEqual({
        status: 202,
        data: { accepted: 0, duplicates: request.batch, rejected: [] },
      });
      const { rows } = await sql<{
        sum: string;
      }>`select sum(e.value)::text as sum from usage_event e join usage_source s on s.id = e.source_id where s.source = ${request.source}`.execute(
        console.app.database.kysely,
      );
      expect(Number(rows[0]?.sum)).toBe(3 * request.batch);
    },
    60_000,
  );

  it('T-PUSH: the ids come from the records, and the key and the address from the environment', () => {
    for (const name of ['vector.yaml', 'vector-from-otel.yaml', 'connect.yaml', 'fluent-bit.conf'])
      expect(text(name)).toContain('Bearer ${SKYTALLY_KEY}');
    expect(text('vector.yaml')).toContain('"id": to_string!(use.key)');
    expect(text('connect.yaml')).toContain('"id": this.key.string()');
    expect(text('fluent-bit.lua')).toContain('id = key');
  });

  it('T-PUSH: the Collector forwards to Vector’s address, and nothing sends OTLP to the console', () => {
    const collector = parse(text('otel-collector.yaml')) as { exporters: { otlp: { endpoint: string } } };
    const behind = parse(text('vector-from-otel.yaml')) as {
      sources: { otel: { grpc: { address: string } } };
    };
    expect(collector.exporters.otlp.endpoint).toBe(behind.sources.otel.grpc.address);
    expect(text('otel-collector.yaml')).not.toContain('SKYTALLY');
    expect(readdirSync(folder).toSorted()).toEqual([
      'README.md',
      'connect.yaml',
      'fluent-bit.conf',
      'fluent-bit.lua',
      'otel-collector.yaml',
      'vector-from-otel.yaml',
      'vector.yaml',
    ]);
  });
});
