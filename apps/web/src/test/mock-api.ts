import { REVISION_HEADER } from '@lessonbook/contract/endpoint';
import { vi } from 'vitest';

/** A request that was sent. */
export interface RecordedCall {
  name: string;
  body: unknown;
  init: RequestInit;
  url: string;
}

type Handler = (call: RecordedCall) => Response | Promise<Response>;

/** Writes that do not change the tutor's revision. */
const WRITES_WITHOUT_REVISION = ['POST /api/notifications/read', 'POST /api/notifications/done'];

/**
 * Replaces `fetch`: `{ 'GET /api/me': () => json(200, user) }`. A request without a handler fails like a network
 * error.
 */
export function mockApi(handlers: Record<string, Handler>) {
  const calls: RecordedCall[] = [];
  /** The revision of the signed-in tutor. A write increases it by less than one, so that a test can still increase it by one. */
  let revision: number | undefined;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const [path] = url.split('?');
    const name = `${init.method} ${path}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    const call = { name, body, init, url };
    calls.push(call);
    const handler = handlers[name];
    if (!handler) throw new TypeError('Failed to fetch');
    const response = await handler(call);
    if (name === 'GET /api/me' && response.ok)
      revision = Math.max(revision ?? 0, (await response.clone().json()).revision);
    const isWrite = init.method !== 'GET' && response.ok && !WRITES_WITHOUT_REVISION.includes(name);
    if (isWrite && revision !== undefined && !response.headers.has(REVISION_HEADER)) {
      revision += 0.001;
      response.headers.set(REVISION_HEADER, String(revision));
    }
    return response;
  });
  return {
    calls,
    handlers,
    /** Responds to a write with `body`, which the named request also returns from now on. */
    saved: (name: string, body: unknown) => {
      handlers[name] = () => json(200, body);
      return json(200, body);
    },
    count: (name: string) => calls.filter((call) => call.name === name).length,
    last: (name: string) => calls.findLast((call) => call.name === name),
  };
}

export const json = (status: number, body: unknown, statusText = '') =>
  new Response(JSON.stringify(body), {
    status,
    statusText,
    headers: { 'Content-Type': 'application/json' },
  });

export const unauthenticated = () =>
  json(401, { code: 'unauthenticated', message: 'Please log in to continue.' });

type PendingReply = PromiseWithResolvers<Response>;
const pendingReplies = new Set<PendingReply>();

function createPendingReply(): PendingReply {
  const reply = Promise.withResolvers<Response>();
  pendingReplies.add(reply);
  return reply;
}

/** Rejects requests that are still pending at the end of a test, so that they do not affect the next one. */
export async function rejectPendingCalls() {
  if (pendingReplies.size === 0) return;
  for (const { reject } of pendingReplies) reject(new TypeError('Failed to fetch'));
  pendingReplies.clear();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Responds when the test calls `reply`. */
export function createDeferredReply() {
  let pending: PendingReply | undefined;
  const handler = () => {
    pending = createPendingReply();
    return pending.promise;
  };
  const reply = (response: Response) => {
    if (!pending) throw new Error('No request has been sent yet');
    pending.resolve(response);
  };
  return { handler, reply };
}

/** Stays pending for the whole test. */
export const neverReplies = () => createPendingReply().promise;

/** Replaces EventSource, which happy-dom lacks; tests dispatch the server's events on it. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  /** The currently open connections. */
  static readonly openSources = new Set<FakeEventSource>();
  readonly url: string;
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.openSources.add(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
    FakeEventSource.openSources.delete(this);
  }
}
