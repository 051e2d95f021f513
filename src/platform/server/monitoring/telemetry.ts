// OpenTelemetry traces of the console's own work: a span for each request, statement, job and message.
// Without a collector (OTEL_EXPORTER_OTLP_ENDPOINT) nothing is recorded, because the library's no-op tracer
// is used.
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { codeOf } from '../system-error.ts';

const tracer = trace.getTracer('skytally');

/**
 * Ends a span as failed. Only the class and code of an error are recorded, since its message may contain user
 * input.
 */
function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', codeOf(error) ?? (error instanceof Error ? error.name : typeof error));
}

/** Runs `run` in a span; its database statements become child spans. Throws what `run` throws. */
export async function traced<T>(
  name: string,
  {
    kind = SpanKind.INTERNAL,
    attributes = {},
  }: { readonly kind?: SpanKind; readonly attributes?: Attributes },
  run: () => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs a statement in a span. Its text has placeholders instead of values, so it contains no user input. */
export function tracedStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  // A statement outside any traced work (such as polling) would be of no interest to anybody.
  if (trace.getActiveSpan()?.isRecording() !== true) return run();
  // Prepared statements begin with `--hot name` (pool.ts).
  const name = /^\s*(?:--hot )?(\S+)/.exec(text)?.[1] ?? 'statement';
  return traced(
    name,
    {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name, 'db.query.text': text },
    },
    run,
  );
}

/**
 * Creates a span for each request, as a child of the caller's span when there is one (`traceparent`), and
 * names it by its route.
 */
export function traceRequests(fastify: FastifyInstance): void {
  const spans = new WeakMap<object, Span>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const span = tracer.startSpan(
      `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': method, 'http.route': route, 'skytally.request.id': request.id },
      },
      propagation.extract(context.active(), request.headers),
    );
    if (!span.isRecording()) {
      done();
      return;
    }
    spans.set(request, span);
    context.with(trace.setSpan(context.active(), span), done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    spans.delete(request);
    done();
  });
  // A caller that disconnected gets no response.
  fastify.addHook('onRequestAbort', (request, done) => {
    const span = spans.get(request);
    span?.setAttribute('error.type', 'aborted');
    span?.end();
    spans.delete(request);
    done();
  });
}
