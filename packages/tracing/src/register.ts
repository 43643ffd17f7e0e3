import { subscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { recordSpans } from './create-opentelemetry-spans.ts';

/* Loaded with `node --import` before the API or the worker; see docs/operating/tracing.md. */

/** Shorter than the time that the process is given to shut down. */
const EXPORT_TIMEOUT_MS = 5_000;

/** From 0 (none) to 1 (all). */
function readSampleRatio(): number {
  const text = process.env['OTEL_TRACES_SAMPLER_ARG'] ?? '1';
  const ratio = Number(text);
  if (text.trim() === '' || !(ratio >= 0 && ratio <= 1))
    throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return ratio;
}

/** Logs once when the collector stops accepting spans, and once when it accepts them again; never logs its responses. */
class LoggingExporter extends OTLPTraceExporter {
  #isFailing = false;

  override export(...[spans, onResult]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      const isFailing = result.error !== undefined;
      if (isFailing !== this.#isFailing) {
        const msg = isFailing ? 'spans cannot be exported' : 'spans are exported again';
        process.stdout.write(`${JSON.stringify({ level: isFailing ? 40 : 30, msg })}\n`);
      }
      this.#isFailing = isFailing;
      onResult(result);
    });
  }
}

function startTracing(): void {
  // OTEL_SERVICE_NAME replaces the name. No detector reads the host, the user or the command line.
  const resource = resourceFromAttributes({
    'service.name': `lessonbook-${basename(process.argv[1] ?? '', '.ts')}`,
  }).merge(detectResources({ detectors: [envDetector] }));
  const exporter = new LoggingExporter({ timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(readSampleRatio()) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  recordSpans(provider.getTracer('lessonbook'));
  subscribe('lessonbook:tracing-stop', (pending) => {
    (pending as Promise<unknown>[]).push(provider.shutdown());
  });
}

// Threads inherit --import, but publish no operations.
if (isMainThread) startTracing();
