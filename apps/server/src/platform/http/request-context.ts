import { AsyncLocalStorage } from 'node:async_hooks';

/** Who is knocking, as far as the wire tells. */
export interface RequestContext {
  readonly network: string;
  readonly userAgent: string;
  /** What this browser was given when somebody logged in with it before, '' for nothing. */
  readonly deviceToken: string;
  /** The login that this browser holds while it knocks, '' for none. */
  readonly loginToken: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Whatever `work` does is done for this visitor. */
export const runWithRequestContext = <T>(requestContext: RequestContext, work: () => T): T =>
  storage.run(requestContext, work);

/** For the log of sensitive acts, which many use cases write to; none where a job does it by itself. */
export const currentRequestContext = (): RequestContext | undefined => storage.getStore();
