import { ForgotPasswordInput } from '@lessonbook/contract/accounts';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { IdParams } from '@lessonbook/contract/schema-fields';
import type { Context } from '@lessonbook/server/src/context.ts';
import type { HttpServer } from '@lessonbook/server/src/platform/http/http-server.ts';
import { sql } from 'kysely';

/** An object with one text field, `account`. */
const Text = ForgotPasswordInput;

const seededBug = (path: string, overrides: Partial<Endpoint> = {}): Endpoint => ({
  method: 'GET',
  path: `/api/planted/${path}`,
  access: 'login',
  summary: 'Planted',
  reply: Text,
  ...overrides,
});

/** Bugs that the fuzzer must detect, each of a different kind. They exist only in the instrumented API. */
export const SEEDED_BUGS = {
  leak: seededBug('leak'),
  error: seededBug('error'),
  slow: seededBug('slow'),
  tutorIdFromBody: seededBug('body', { method: 'POST', body: Text }),
  anyId: seededBug('students/:id', { params: IdParams }),
} as const;

export const UNDOCUMENTED_PATH = '/api/planted/undocumented';

export function addSeededBugs(
  http: HttpServer,
  context: Context,
  canary: string,
  slowMs: number,
): void {
  http.fastify.get(UNDOCUMENTED_PATH, async () => ({ account: 'undocumented' }));
  http.on(SEEDED_BUGS.leak, async () => ({ account: Buffer.from(canary).toString('base64') }));
  http.on(SEEDED_BUGS.error, async () => {
    throw new Error('planted');
  });
  http.on(SEEDED_BUGS.slow, async () => {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    return { account: 'late' };
  });
  // Takes the tutor id from the body.
  http.on(SEEDED_BUGS.tutorIdFromBody, async ({ body }) => {
    const { account } = body as unknown as ForgotPasswordInput;
    await context.db
      .tutorTransaction(account, (tx) => sql`update students set notes = 'planted'`.execute(tx))
      .catch(() => undefined);
    return { account: 'done' };
  });
  // Accepts any id.
  http.on(SEEDED_BUGS.anyId, async ({ params }) => ({
    account: String((params as unknown as { id: number }).id),
  }));
}
