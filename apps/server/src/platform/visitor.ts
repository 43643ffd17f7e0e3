import { AsyncLocalStorage } from 'node:async_hooks';

/** Who is knocking, as far as the wire tells. */
export interface Visitor {
  readonly network: string;
  readonly userAgent: string;
  /** What this browser was given when somebody logged in with it before, '' for nothing. */
  readonly knownBy: string;
  /** The login that this browser holds while it knocks, '' for none. */
  readonly holds: string;
}

const here = new AsyncLocalStorage<Visitor>();

/** Whatever `work` does is done for this visitor. */
export const forVisitor = <T>(visitor: Visitor, work: () => T): T => here.run(visitor, work);

/** For the log of sensitive acts, which many use cases write to; none where a job does it by itself. */
export const visitorNow = (): Visitor | undefined => here.getStore();
