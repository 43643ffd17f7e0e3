import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  readonly network: string;
  readonly userAgent: string;
  /** Set by an earlier login in this browser; '' if there was none. */
  readonly deviceToken: string;
  /** The token in the login cookie; '' if it is missing. */
  readonly loginToken: string;
  /** The tutor whose data the request has changed, and their revision after the change. */
  changed?: { readonly tutorId: string; readonly revision: number };
}

const storage = new AsyncLocalStorage<RequestContext>();

export const runWithRequestContext = <T>(requestContext: RequestContext, work: () => T): T =>
  storage.run(requestContext, work);

/** Called after each change to a tutor's data; has no effect in background jobs. */
export function recordRevision(tutorId: string, revision: number): void {
  const requestContext = storage.getStore();
  if (requestContext) requestContext.changed = { tutorId, revision };
}

/** Used by the audit log; undefined in background jobs. */
export const currentRequestContext = (): RequestContext | undefined => storage.getStore();

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext | undefined;
  }
}
