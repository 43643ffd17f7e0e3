import { AsyncLocalStorage } from 'node:async_hooks';

/** Request metadata. */
export interface RequestContext {
  readonly network: string;
  readonly userAgent: string;
  /** From an earlier login in this browser; '' if there was none. */
  readonly deviceToken: string;
  /** The current login cookie; '' if missing. */
  readonly loginToken: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const runWithRequestContext = <T>(requestContext: RequestContext, work: () => T): T =>
  storage.run(requestContext, work);

/** For the audit log; undefined in background jobs. */
export const currentRequestContext = (): RequestContext | undefined => storage.getStore();
