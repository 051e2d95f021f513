// Endpoints for operators' tools: liveness, readiness and metrics.
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { sql } from 'kysely';
import type { App } from '../unit-of-work/ctx.ts';

/**
 * Serves /healthz, /readyz and /metrics (Prometheus; only to the machine itself, or through the operator's
 * proxy). Returns the metrics.
 */
export function serveOperatorEndpoints(fastify: FastifyInstance, app: App): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const clients: Gauge = new Gauge({
    name: 'live_clients',
    help: 'Connected live clients.',
    registers: [registry],
    collect: () => clients.set(app.vitals.live().clients),
  });
  const subscriptions: Gauge = new Gauge({
    name: 'live_subscriptions',
    help: 'Topics that live clients hear, each counted for each client.',
    registers: [registry],
    collect: () => subscriptions.set(app.vitals.live().subscriptions),
  });
  const waiting: Gauge = new Gauge({
    name: 'outbox_waiting',
    help: 'Outbox messages not sent yet.',
    registers: [registry],
    collect: async () => {
      const { rows } = await sql<{
        count: bigint;
      }>`select count(*) from outbox where sent_at is null and parked_at is null and (attempts > 0 or due_at <= now())`.execute(
        app.database.kysely,
      );
      waiting.set(Number(rows[0]?.count ?? 0n));
    },
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    app.vitals.observe(reply.statusCode, reply.elapsedTime);
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  fastify.get('/healthz', async () => ({ status: 'ok' }));
  fastify.get('/readyz', async (_request, reply) => {
    try {
      await sql`select 1`.execute(app.database.kysely);
      return { status: 'ready' };
    } catch (error) {
      app.log.warn({ err: error }, 'not ready: the database does not answer');
      return reply.status(503).header('retry-after', '5').send({ status: 'database unavailable' });
    }
  });
  fastify.get('/metrics', async (request, reply) => {
    // Metrics are not public; a scraper on another machine goes through the operator's proxy.
    if (request.ip !== '127.0.0.1' && request.ip !== '::1' && request.ip !== '::ffff:127.0.0.1')
      return reply.callNotFound();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  return registry;
}
