import { accounts } from '@lessonbook/contract/accounts';
import { portal } from '@lessonbook/contract/portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Context } from '../../context.ts';
import { abandonStalledWork, STALLED_WORK } from '../../platform/queue/abandon-work-without-job.ts';
import type { Job } from '../../platform/queue/job.ts';
import {
  createSmallTutor,
  killMoveAfter,
  runMove,
  startInstallation,
} from '../../test/move-tutor-test-support.ts';
import { createPortalFixture, signInToPortal } from '../../test/portal-fixture.ts';
import type { TestApp } from '../../test/test-app.ts';
import { rollBackMove } from './service/move-tutor.ts';

/* Reads and the sweep for work without a job continue at the source while a tutor moves. */

let source: TestApp;
let target: TestApp;

beforeAll(async () => {
  source = await startInstallation('home');
  target = await startInstallation('away');
});
afterAll(async () => {
  await source.close();
  await target.close();
});

test.each(['draining', 'locked'] as const)(
  'reads still succeed after "%s", even those that usually record the time of the last visit',
  async (step) => {
    const { browser, ruthEmail } = await createPortalFixture(source);
    const { username } = (await browser.call(accounts.me)).body;
    const { browser: family, login } = await signInToPortal(source, ruthEmail);
    const visited = await listVisits();
    // This browser visits the tutor for the first time during the move.
    const { browser: newFamily } = await signInToPortal(source, ruthEmail);
    await source.admin.query('delete from contact_logins where login_id <> all($1)', [visited]);
    const publicId = login.tutors[0]?.publicId ?? '';
    const readLessons = () => family.call(portal.portalLessons, { params: { publicId } });
    await killMoveAfter(source, target, username, step);
    source.clock.advance({ hours: 2 });
    expect((await browser.call(accounts.me)).status).toBe(200);
    expect((await readLessons()).status).toBe(200);
    for (const each of [family, newFamily]) {
      const response = await each.call(portal.portalLogin);
      expect(response.status).toBe(200);
      expect(response.body.tutors).toHaveLength(1);
    }
    await runMove(source, target, username, { command: rollBackMove });
    await source.restartClock();
  },
);

async function listVisits(): Promise<string[]> {
  const { rows } = await source.admin.query<{ id: string }>(
    'select login_id as id from contact_logins',
  );
  return rows.map(({ id }) => id);
}

describe('the sweep for work without a job', () => {
  test('does not abandon work of a tutor whose jobs a move has removed from the queue since the sweep began', async () => {
    const tutors = [await createSmallTutor(source), await createSmallTutor(source)];
    await source.admin.query(
      `update tenant_schedule set next_due_at = case when tutor_id = any($2) then $3::timestamptz else $3 + interval '9 days' end
       where kind = $1`,
      [STALLED_WORK, tutors.map(({ id }) => id), source.clock.now()],
    );
    const swept: string[] = [];
    const abandoned: string[] = [];
    const job: Job<Context, { tutorId: string }> = {
      name: 'account-mail',
      payload: z.object({ tutorId: z.uuid() }),
      retryFor: { minutes: 5 },
      concurrency: 1,
      run: async () => undefined,
      onAbandoned: async (_, { tutorId }) => void abandoned.push(tutorId),
      // While the first tutor is swept, a move of the other one begins.
      listPending: async (_, tutorId) => {
        swept.push(tutorId);
        const other = tutors.find(({ id }) => id !== tutorId);
        if (swept.length === 1 && other)
          await killMoveAfter(source, target, other.input.username, 'draining');
        return [{ tutorId }];
      },
    };
    await abandonStalledWork(source.context, [job]);
    expect(swept).toHaveLength(1);
    expect(abandoned).toEqual(swept);
  });
});
