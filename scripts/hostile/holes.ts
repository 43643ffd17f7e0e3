import { ForgotPasswordInput } from '@lessonbook/contract/accounts';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { IdParams } from '@lessonbook/contract/field';
import type { Context } from '@lessonbook/server/src/context.ts';
import type { Http } from '@lessonbook/server/src/platform/http.ts';
import { sql } from 'kysely';

/** An object with one text in it, `account`: enough for a hole. */
const Text = ForgotPasswordInput;

const hole = (path: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method: 'GET',
  path: `/api/planted/${path}`,
  access: 'login',
  summary: 'Planted',
  reply: Text,
  ...more,
});

/** Faults that the harness must find, each of another kind. They live in a process of the harness alone. */
export const HOLES = {
  leak: hole('leak'),
  error: hole('error'),
  slow: hole('slow'),
  body: hole('body', { method: 'POST', body: Text }),
  anyone: hole('students/:id', { params: IdParams }),
} as const;

export const UNDESCRIBED = '/api/planted/undescribed';

export function plantHoles(http: Http, context: Context, canary: string, slowMs: number): void {
  http.fastify.get(UNDESCRIBED, async () => ({ account: 'nobody was told of this' }));
  http.on(HOLES.leak, async () => ({ account: Buffer.from(canary).toString('base64') }));
  http.on(HOLES.error, async () => {
    throw new Error('planted');
  });
  http.on(HOLES.slow, async () => {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    return { account: 'late' };
  });
  // Whose book it is comes from the body.
  http.on(HOLES.body, async ({ body }) => {
    const { account } = body as unknown as ForgotPasswordInput;
    await context.db
      .withTutor(account, (tx) => sql`update students set notes = 'planted'`.execute(tx))
      .catch(() => undefined);
    return { account: 'done' };
  });
  // Every id is welcome.
  http.on(HOLES.anyone, async ({ params }) => ({
    account: String((params as unknown as { id: number }).id),
  }));
}
