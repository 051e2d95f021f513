// Sends traces and metrics to a collector by OTLP over HTTP; loaded only when a collector is configured.
import { hostname } from 'node:os';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { version } from '../version.ts';
import { metricProducer } from './telemetry-metrics.ts';

/** The timeout of one export; shutdown may take this long as well. */
const timeoutMillis = 3000;

/**
 * Starts exporting. Spans wait in a bounded queue (2,048), so an unresponsive collector loses spans but never
 * delays a response. Further settings are the library's own (`OTEL_SERVICE_NAME`,
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER` …).
 * @param url the collector's address, to which `/v1/traces` and `/v1/metrics` are appended
 * @param registry the metrics that `/metrics` also serves
 * @returns a function that sends the rest and stops
 */
export function startTelemetry(
  url: string,
  registry: Registry,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): () => Promise<void> {
  diag.setLogger(
    {
      error: (message) => log.warn({ telemetry: message }, 'telemetry could not be sent'),
      warn: (message) => log.warn({ telemetry: message }, 'telemetry'),
      info: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
    },
    DiagLogLevel.WARN,
  );
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'skytally',
        'service.version': version,
        'service.instance.id': `${hostname()}:${process.pid}`,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const traces = new NodeTracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis })),
    ],
  });
  traces.register();
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics`, timeoutMillis }),
        exportIntervalMillis: 60_000,
        exportTimeoutMillis: timeoutMillis,
        metricProducers: [metricProducer(registry, resource, clock)],
      }),
    ],
  });
  return async () => {
    // Export failures are logged, and must not delay a shutdown.
    await Promise.allSettled([traces.shutdown(), metrics.shutdown()]);
    trace.disable();
    context.disable();
    propagation.disable();
    diag.disable();
  };
}
