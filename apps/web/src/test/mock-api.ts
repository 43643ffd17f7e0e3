import { vi } from 'vitest';

/** One call as it went over the wire. */
export interface RecordedCall {
  name: string;
  body: unknown;
  init: RequestInit;
  address: string;
}

type Handler = (call: RecordedCall) => Response | Promise<Response>;

/**
 * Stands in for the network: `{ 'GET /api/me': () => json(200, user) }`. A call that nobody
 * answers fails like a cable that is pulled.
 */
export function mockApi(answers: Record<string, Handler>) {
  const calls: RecordedCall[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const [path] = address.split('?');
    const name = `${init.method} ${path}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    const call = { name, body, init, address };
    calls.push(call);
    const answer = answers[name];
    if (!answer) throw new TypeError('Failed to fetch');
    return answer(call);
  });
  return {
    calls,
    answers,
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
  const answer = Promise.withResolvers<Response>();
  pendingReplies.add(answer);
  return answer;
}

/** Whoever still waits at the end of a test is told that the line is dead, so that nothing of it goes on in the next one. */
export async function rejectPendingCalls() {
  if (pendingReplies.size === 0) return;
  for (const { reject } of pendingReplies) reject(new TypeError('Failed to fetch'));
  pendingReplies.clear();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Answers when the test says so. */
export function deferredReply() {
  let asked: PendingReply | undefined;
  const answer = () => {
    asked = createPendingReply();
    return asked.promise;
  };
  const reply = (response: Response) => {
    if (!asked) throw new Error('Nobody has asked yet');
    asked.resolve(response);
  };
  return { answer, reply };
}

/** Does not answer while the test lasts: whoever waits stays busy. */
export const neverReplies = () => createPendingReply().promise;
