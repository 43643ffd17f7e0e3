import { channel } from 'node:diagnostics_channel';

/**
 * Part of a trace. Names are constants in the code, and no other field can hold a value from a request, a row or a vendor,
 * because a trace is read outside the application.
 */
export type Operation = { errorType?: string } & (
  | { kind: 'request'; method: string; route: string; requestId: string; status?: number }
  | { kind: 'transaction'; name: string }
  | { kind: 'connection' }
  | { kind: 'statement'; summary: string; statementName?: string }
  | { kind: 'job'; name: string; attempt: number; traceparent: string | undefined }
  | { kind: 'vendor'; vendor: string; host: string; name: string }
);

/** Filled by the subscriber with the W3C trace context of the current operation. */
export interface TraceContextRequest {
  traceparent?: string;
}

/* packages/tracing subscribes to these. Without it, only `hasSubscribers` is read. */
const started = channel('lessonbook:operation:start');
const ended = channel('lessonbook:operation:end');
const traceContext = channel('lessonbook:trace-context');
const stopping = channel('lessonbook:tracing-stop');

/** Runs `work` as part of the current trace. */
export async function traceOperation<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
  if (!started.hasSubscribers) return work();
  return started.runStores(operation, () => endWith(operation, work));
}

async function endWith<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    operation.errorType = errorTypeOf(error);
    throw error;
  } finally {
    ended.publish(operation);
  }
}

export const traceTransaction = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  traceOperation({ kind: 'transaction', name }, work);

/** For an operation that is not a single async function; `work` may be called several times within the same operation. */
export function runInOperation(operation: Operation, work: () => void): void {
  if (started.hasSubscribers) started.runStores(operation, work);
  else work();
}

export const endOperation = (operation: Operation): void => ended.publish(operation);

/** Adds the current trace to the payload of a job, so that the job belongs to the trace of the code that enqueued it. */
export function withTraceContext<Payload extends object>(payload: Payload): Payload {
  const request: TraceContextRequest = {};
  traceContext.publish(request);
  return request.traceparent === undefined
    ? payload
    : { ...payload, [TRACE_CONTEXT_FIELD]: request.traceparent };
}

export const TRACE_CONTEXT_FIELD = 'traceparent';
export function traceContextOf(payload: object | null): string | undefined {
  const value = (payload as Record<string, unknown> | null)?.[TRACE_CONTEXT_FIELD];
  return typeof value === 'string' ? value : undefined;
}

/** Traces the calls of a vendor's adapter under the names of its methods. */
export function traceVendor<Adapter extends object>(
  vendor: string,
  url: string,
  adapter: Adapter,
): Adapter {
  const { hostname: host } = new URL(url);
  const traceMethod =
    (name: string, method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      if (!started.hasSubscribers) return method(...args);
      const operation: Operation = { kind: 'vendor', vendor, host, name };
      const result = started.runStores(operation, () => method(...args));
      // Other results are values or, for a list, an iterable. Requests made by an iterable are not traced, because an
      // operation that never ends is not exported.
      return result instanceof Promise ? endWith(operation, () => result) : result;
    };
  const members = Object.entries(adapter).map(([name, member]) => [
    name,
    typeof member === 'function' ? traceMethod(name, member) : member,
  ]);
  return Object.fromEntries(members) as Adapter;
}

/** Sends the spans that have not been exported yet. */
export async function stopTracing(): Promise<void> {
  const pending: Promise<unknown>[] = [];
  stopping.publish(pending);
  await Promise.allSettled(pending);
}

/** Never returns the message, because it may quote the rejected value. */
function errorTypeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const type = typeof code === 'string' ? code : name;
  return typeof type === 'string' && /^\w{1,60}$/.test(type) ? type : 'error';
}
