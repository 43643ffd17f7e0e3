import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  readonly network: string;
  readonly userAgent: string;
  /** Set by an earlier login in this browser; '' if there was none. */
  readonly deviceToken: string;
  /** The token in the login cookie; '' if it is missing. */
  readonly loginToken: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const runWithRequestContext = <T>(requestContext: RequestContext, work: () => T): T =>
  storage.run(requestContext, work);

/** Used by the audit log; undefined in background jobs. */
export const currentRequestContext = (): RequestContext | undefined => storage.getStore();
