// What the console tells a collector of OpenTelemetry about its own work: a span for each request, statement, job and message.
// Without a collector (OTEL_EXPORTER_OTLP_ENDPOINT) nothing is recorded: the library's own no-op tracer stands here.
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

const tracer = trace.getTracer('skytally');

/** Ends a span as failed; of an error only its class and code, since a message may hold what somebody sent. */
function failed(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', code ?? (error instanceof Error ? error.name : typeof error));
}

/** Runs work as a span: what it asks of the database becomes the span's children. Throws what `run` throws. */
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

/** Runs a statement as a span. Its text has placeholders where values are, so it holds nothing that somebody sent. */
export function tracedStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  // A statement of its own (a look for messages) belongs to no work that anybody would look for.
  if (trace.getActiveSpan()?.isRecording() !== true) return run();
  // `--hot name` begins those that are prepared (db.ts).
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

/** Makes a span of each request, beneath the caller's own when it names one (`traceparent`), and names it by its route. */
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
  // A caller who left gets no answer.
  fastify.addHook('onRequestAbort', (request, done) => {
    const span = spans.get(request);
    span?.setAttribute('error.type', 'aborted');
    span?.end();
    spans.delete(request);
    done();
  });
}
