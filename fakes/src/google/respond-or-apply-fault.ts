import type { Fault, Faults } from '../shared/faults.ts';
import { dropConnection } from '../shared/http-request-and-reply.ts';
import type { HttpExchange } from '../shared/server.ts';

/** `reason` is the reason in Google's error, such as `rateLimitExceeded`. */
interface FaultReason {
  reason?: string;
}

export type GoogleFault = Fault<FaultReason>;
export type GoogleFaults = Faults<FaultReason>;

export interface ApiResponse {
  status: number;
  /** Null for an empty body. */
  body: object | null;
  headers?: Record<string, string>;
}

/** Sends the response from `handle`, or applies a fault. Returns null if nothing was sent. */
export async function respond(
  { request, reply, method, url }: HttpExchange,
  faults: GoogleFaults,
  handle: () => ApiResponse,
  toErrorResponse: (status: number, reason: string | undefined) => ApiResponse,
): Promise<ApiResponse | null> {
  const fault = faults.next(method, url.pathname);
  if (fault?.kind === 'hang') return null;
  if (fault?.kind === 'reset') {
    dropConnection(request);
    return null;
  }
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
  const response =
    fault?.kind === 'status' ? toErrorResponse(fault.status, fault.reason) : handle();
  if (fault?.kind === 'done-then-reset') {
    dropConnection(request);
    return null;
  }
  if (fault?.kind === 'unexpected-fields') response.body = { ...response.body, ...fault.merge };
  const { status, body, headers } = response;
  const isEmpty = body === null;
  reply.writeHead(status, {
    ...(isEmpty ? {} : { 'content-type': 'application/json; charset=UTF-8' }),
    'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
    ...headers,
  });
  reply.end(isEmpty ? undefined : JSON.stringify(body, null, 1));
  return response;
}
