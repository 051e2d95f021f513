// Traces and metrics as an OpenTelemetry collector receives them, over HTTP.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { adminAccount, createTestConsole, setUp, type TestConsole } from '../support/console.ts';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
};
type Metric = {
  name: string;
  unit: string;
  gauge?: { dataPoints: { asDouble: number }[] };
  histogram?: {
    dataPoints: {
      attributes: Attribute[];
      count: number;
      bucketCounts: number[];
      explicitBounds: number[];
    }[];
  };
};
type Resource = { attributes: Attribute[] };

const spans: Span[] = [];
const metrics: Metric[] = [];
const resources: Resource[] = [];
const bodies: string[] = [];

/** Accepts OTLP over HTTP as JSON. */
const collector: Server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const text = Buffer.concat(pieces).toString('utf8');
    bodies.push(text);
    const body = JSON.parse(text) as {
      resourceSpans?: { resource: Resource; scopeSpans: { spans: Span[] }[] }[];
      resourceMetrics?: { resource: Resource; scopeMetrics: { metrics: Metric[] }[] }[];
    };
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      resources.push(resource);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    for (const { resource, scopeMetrics } of body.resourceMetrics ?? []) {
      resources.push(resource);
      metrics.push(...scopeMetrics.flatMap((scope) => scope.metrics));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

const secret = 'a passphrase that no collector may hear';
let console: TestConsole;
/** The caller’s own trace. */
const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const address = collector.address();
  if (address === null || typeof address === 'string') throw new Error('the collector listens nowhere');
  console = await createTestConsole(undefined, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}/`,
  });
  const token = await setUp(console);
  await console.ok(
    catalogue.adminListServices,
    {},
    { token, headers: { traceparent: `00-${caller.traceId}-${caller.spanId}-01` } },
  );
  await console.call(signin.login, { account: adminAccount.account, password: secret });
  await console.call(identity.profile, {}, {});
  await console.end();
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const valueOf = ({ attributes }: { attributes: Attribute[] }, key: string): string | number | undefined => {
  const found = attributes.find((one) => one.key === key)?.value;
  return found?.stringValue ?? found?.intValue;
};

describe('OpenTelemetry', () => {
  it('a request is a span of the caller’s trace named by its route, with child spans for its statements', () => {
    const [request] = spans.filter(({ traceId, kind }) => traceId === caller.traceId && kind === 2);
    expect(request).toMatchObject({
      name: 'GET /api/admin/services',
      parentSpanId: caller.spanId,
    });
    expect(request && valueOf(request, 'http.response.status_code')).toBe(200);
    expect(request && valueOf(request, 'skytally.request.id')).toMatch(/^\S+$/);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(statements.length).toBeGreaterThan(1);
    for (const one of statements) {
      expect(one.traceId).toBe(caller.traceId);
      expect(valueOf(one, 'db.system.name')).toBe('postgresql');
    }
    expect(statements.map((one) => valueOf(one, 'db.query.text')).join('\n')).toMatch(/from service\b/);
  });

  it('a rejected request has its status, and no span contains request data', () => {
    const refused = spans.filter(({ name }) => name === 'POST /api/user/login');
    expect(refused.map((one) => valueOf(one, 'http.response.status_code'))).toContain(401);
    expect(refused.every(({ status }) => (status.code ?? 0) === 0)).toBe(true);
    const all = bodies.join('\n');
    for (const text of [secret, adminAccount.account, adminAccount.password]) expect(all).not.toContain(text);
  });

  it('everything names its console', () => {
    expect(resources.length).toBeGreaterThan(1);
    for (const resource of resources) {
      expect(valueOf(resource, 'service.name')).toBe('skytally');
      expect(valueOf(resource, 'service.version')).toMatch(/^v?\d+\./);
      expect(valueOf(resource, 'service.instance.id')).toContain(String(process.pid));
    }
  });

  it('metrics equal those of /metrics, with OpenTelemetry’s buckets', () => {
    const durations = metrics.find(({ name }) => name === 'http_request_duration_seconds');
    expect(durations?.unit).toBe('s');
    const list = durations?.histogram?.dataPoints.find(
      (point) => valueOf(point, 'route') === '/api/admin/services' && valueOf(point, 'method') === 'GET',
    );
    expect(list?.count).toBe(1);
    expect(list?.bucketCounts).toHaveLength((list?.explicitBounds.length ?? 0) + 1);
    expect(list?.bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(metrics.find(({ name }) => name === 'live_clients')?.gauge?.dataPoints).toMatchObject([
      { asDouble: 0 },
    ]);
    expect(metrics.map(({ name }) => name)).toContain('process_resident_memory_bytes');
  });
});

describe('an unavailable OpenTelemetry collector', () => {
  it('breaks no request and does not delay shutdown', async () => {
    const alone = await createTestConsole(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    const token = await setUp(alone);
    expect((await alone.call(catalogue.adminListServices, {}, { token })).status).toBe(200);
    await alone.end();
  });
});
