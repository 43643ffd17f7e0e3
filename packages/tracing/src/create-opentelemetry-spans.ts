import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, subscribe } from 'node:diagnostics_channel';
import type {
  Operation,
  TraceContextRequest,
} from '@lessonbook/server/src/platform/observability/tracing.ts';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/;

/** Creates spans for the operations that the server publishes; only the fields listed here are exported. */
export function recordSpans(tracer: Tracer): void {
  const current = new AsyncLocalStorage<Context>();
  const contexts = new WeakMap<Operation, Context>();

  channel('lessonbook:operation:start').bindStore(current, (message) => {
    const operation = message as Operation;
    // A request enters its context a second time, after its body has been read.
    const known = contexts.get(operation);
    if (known) return known;
    const parent = parentOf(operation, current.getStore());
    const { name, kind, attributes } = describeOperation(operation);
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const context = trace.setSpan(parent, span);
    contexts.set(operation, context);
    return context;
  });

  subscribe('lessonbook:operation:end', (message) => {
    const operation = message as Operation;
    const context = contexts.get(operation);
    const span = context && trace.getSpan(context);
    if (span) endSpan(span, operation);
  });

  subscribe('lessonbook:trace-context', (message) => {
    const span = trace.getSpan(current.getStore() ?? ROOT_CONTEXT);
    if (span) (message as TraceContextRequest).traceparent = formatTraceparent(span.spanContext());
  });
}

/** A trace begins with a request or a job. Trace headers from a browser or a vendor are ignored. */
function parentOf(operation: Operation, current: Context = ROOT_CONTEXT): Context {
  if (operation.kind === 'request') return ROOT_CONTEXT;
  if (operation.kind !== 'job') return current;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(operation.traceparent ?? '') ?? [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  const enqueuedIn = { traceId, spanId, traceFlags: Number(flags), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, enqueuedIn);
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`;

interface SpanDescription {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
}

function describeOperation(operation: Operation): SpanDescription {
  if (operation.kind === 'request') {
    const { method, route, requestId } = operation;
    return {
      name: `${method} ${route}`,
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'lessonbook.request_id': requestId,
      },
    };
  }
  if (operation.kind === 'transaction')
    return { name: operation.name, kind: SpanKind.INTERNAL, attributes: {} };
  if (operation.kind === 'connection')
    return { name: 'wait for connection', kind: SpanKind.INTERNAL, attributes: {} };
  if (operation.kind === 'statement') {
    const { summary, statementName } = operation;
    return {
      name: summary,
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.summary': summary,
        ...(statementName === undefined ? {} : { 'lessonbook.statement': statementName }),
      },
    };
  }
  if (operation.kind === 'job') {
    const { name, attempt } = operation;
    return {
      name: `job ${name}`,
      kind: SpanKind.CONSUMER,
      attributes: { 'lessonbook.job': name, 'lessonbook.attempt': attempt },
    };
  }
  const { vendor, name, host } = operation;
  return {
    name: `${vendor} ${name}`,
    kind: SpanKind.CLIENT,
    attributes: { 'server.address': host, 'lessonbook.vendor': vendor },
  };
}

function endSpan(span: Span, operation: Operation): void {
  if (operation.errorType !== undefined) span.setAttribute('error.type', operation.errorType);
  let failed = operation.errorType !== undefined;
  if (operation.kind === 'request' && operation.status !== undefined) {
    span.setAttribute('http.response.status_code', operation.status);
    failed = operation.status >= 500;
  }
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
