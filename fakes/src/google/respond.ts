import type { Fault, Faults } from '../shared/faults.ts';
import { dropConnection } from '../shared/http-reply.ts';
import type { HttpExchange } from '../shared/server.ts';

/** `reason` is the word in Google's error, such as `rateLimitExceeded`. */
interface FaultReason {
  reason?: string;
}

export type GoogleFault = Fault<FaultReason>;
export type GoogleFaults = Faults<FaultReason>;

export interface ApiResponse {
  status: number;
  /** Null where Google sends nothing. */
  body: object | null;
  headers?: Record<string, string>;
}

/** Answers with what `work` gives, or lets go wrong what a fault says. Null when there was no answer. */
export async function respond(
  { request, reply, method, url }: HttpExchange,
  faults: GoogleFaults,
  work: () => ApiResponse,
  failing: (status: number, reason: string | undefined) => ApiResponse,
): Promise<ApiResponse | null> {
  const fault = faults.next(method, url.pathname);
  if (fault?.kind === 'hang') return null;
  if (fault?.kind === 'reset') {
    dropConnection(request);
    return null;
  }
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
  const answer = fault?.kind === 'status' ? failing(fault.status, fault.reason) : work();
  if (fault?.kind === 'done-then-reset') {
    dropConnection(request);
    return null;
  }
  if (fault?.kind === 'odd') answer.body = { ...answer.body, ...fault.merge };
  const { status, body, headers } = answer;
  const empty = body === null;
  reply.writeHead(status, {
    ...(empty ? {} : { 'content-type': 'application/json; charset=UTF-8' }),
    'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
    ...headers,
  });
  reply.end(empty ? undefined : JSON.stringify(body, null, 1));
  return answer;
}
