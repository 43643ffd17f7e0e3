import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db/database.ts';
import { EventBus, subscribe } from '../../platform/events.ts';
import { newStudent } from '../../test/factories.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, findTutorId } from '../../test/tutor.ts';
import { studentArchived } from './events.ts';
import { removeStudent } from './service/students.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

type Fact = { tutorId: string; studentId: number };

/** The same house with one more domain upstairs. */
function withListener(handle: (tx: Tx, fact: Fact) => Promise<void>): Context {
  const events = new EventBus<Context>([
    subscribe(studentArchived, (_context: Context, tx, fact) => handle(tx, fact)),
  ]);
  const context: Context = {
    ...app.context,
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  return context;
}

describe('a student who leaves the book', () => {
  test('is made known inside the same transaction', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const { id } = await newStudent(browser);
    const heard: unknown[] = [];
    const context = withListener(async (tx, fact) => {
      const row = await tx
        .selectFrom('students')
        .where('tutor_id', '=', fact.tutorId)
        .where('id', '=', fact.studentId)
        .select('archived_at')
        .executeTakeFirstOrThrow();
      heard.push({ ...fact, archivedAt: row.archived_at });
    });
    await removeStudent(context, tutorId, id);
    expect(heard).toEqual([{ tutorId, studentId: id, archivedAt: app.clock.now() }]);
  });

  test('stays when whoever hears of it refuses', async () => {
    const { browser, input } = await createTutor(app);
    const student = await newStudent(browser);
    const context = withListener(() => Promise.reject(new AppError('conflict', 'Not now.')));
    await expect(
      removeStudent(context, await findTutorId(app, input), student.id),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect((await browser.call(students.listStudents)).body).toEqual([student]);
  });

  test('is not made known when there was no such student', async () => {
    const { browser, input } = await createTutor(app);
    const { id } = await newStudent(browser);
    const tutorId = await findTutorId(app, input);
    const heard: Fact[] = [];
    const context = withListener(async (_tx, fact) => void heard.push(fact));
    await removeStudent(context, tutorId, id);
    for (const gone of [id, 99])
      await expect(removeStudent(context, tutorId, gone)).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(heard).toHaveLength(1);
  });
});
