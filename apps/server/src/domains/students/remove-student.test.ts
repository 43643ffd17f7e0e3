import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db/database.ts';
import { EventBus, subscribe } from '../../platform/events.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { studentArchived } from './events.ts';
import { removeStudent } from './service/students.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

type ArchivedEvent = { tutorId: string; studentId: number };

/** Returns a context in which `handle` is the only subscriber to `studentArchived`. */
function withSubscriber(handle: (tx: Tx, event: ArchivedEvent) => Promise<void>): Context {
  const events = new EventBus<Context>([
    subscribe(studentArchived, (_context: Context, tx, event) => handle(tx, event)),
  ]);
  const context: Context = {
    ...app.context,
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  return context;
}

describe('removing a student', () => {
  test('publishes the event in the same transaction', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const { id } = await createStudent(browser);
    const received: unknown[] = [];
    const context = withSubscriber(async (tx, event) => {
      const row = await tx
        .selectFrom('students')
        .where('tutor_id', '=', event.tutorId)
        .where('id', '=', event.studentId)
        .select('archived_at')
        .executeTakeFirstOrThrow();
      received.push({ ...event, archivedAt: row.archived_at });
    });
    await removeStudent(context, tutorId, id);
    expect(received).toEqual([{ tutorId, studentId: id, archivedAt: app.clock.now() }]);
  });

  test('is rolled back when a subscriber throws', async () => {
    const { browser, input } = await createTutor(app);
    const student = await createStudent(browser);
    const context = withSubscriber(() => Promise.reject(new AppError('conflict', 'Not now.')));
    await expect(
      removeStudent(context, await findTutorId(app, input), student.id),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect((await browser.call(students.listStudents)).body).toEqual([student]);
  });

  test('publishes no event when the student does not exist', async () => {
    const { browser, input } = await createTutor(app);
    const { id } = await createStudent(browser);
    const tutorId = await findTutorId(app, input);
    const received: ArchivedEvent[] = [];
    const context = withSubscriber(async (_tx, event) => void received.push(event));
    await removeStudent(context, tutorId, id);
    for (const missingId of [id, 99])
      await expect(removeStudent(context, tutorId, missingId)).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(received).toHaveLength(1);
  });
});
