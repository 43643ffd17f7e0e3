import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { getSubjectOrThrow } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

/** If a response to another tutor matches this pattern, data has leaked. */
const CANARY = /canary|771\.77/;
const canary = {
  name: 'canary name',
  description: 'canary description',
  defaultFee: 771.77,
  currency: 'EUR',
} as const;
const ownSubject = { name: 'Maths', description: 'mine', defaultFee: 30, currency: 'GBP' } as const;

const listSubjects = async (browser: Browser) => (await browser.call(subjects.listSubjects)).body;

describe("another tutor's subjects", () => {
  test('[AUTH-45, T06] an id that exists only for the other tutor returns 404', async () => {
    const { browser: theirs } = await createTutor(app);
    for (let count = 0; count < 3; count += 1) await createSubject(theirs, canary);
    const before = await listSubjects(theirs);
    const { browser: mine, input } = await createTutor(app);
    await createSubject(mine, ownSubject);
    const tutorId = await findTutorId(app, input);
    for (const id of [2, 3]) {
      const responses = [
        await mine.call(subjects.updateSubject, { params: { id }, body: ownSubject }),
        await mine.call(subjects.deleteSubject, { params: { id } }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(404);
        expect(JSON.stringify(response.body)).not.toMatch(CANARY);
      }
      await expect(
        app.context.db.tutorTransaction(tutorId, (tx) => getSubjectOrThrow(tx, tutorId, id)),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await listSubjects(theirs)).toEqual(before);
  });

  test('[AUTH-45] when both tutors have the same ids, each reads and changes only their own data', async () => {
    const { browser: theirs } = await createTutor(app);
    const { browser: mine, input } = await createTutor(app);
    const theirSubject = await createSubject(theirs, canary);
    const mySubject = await createSubject(mine, ownSubject);
    expect(mySubject.id).toBe(theirSubject.id);
    const { id } = mySubject;

    expect(await listSubjects(mine)).toEqual([mySubject]);
    const changed = await mine.call(subjects.updateSubject, {
      params: { id },
      body: { ...ownSubject, name: 'Physics' },
    });
    expect(changed.body).toEqual({ ...mySubject, name: 'Physics' });
    const tutorId = await findTutorId(app, input);
    const found = await app.context.db.tutorTransaction(tutorId, (tx) =>
      getSubjectOrThrow(tx, tutorId, id),
    );
    expect(found).toEqual({ ...mySubject, name: 'Physics', defaultFee: 3000 });
    expect(await listSubjects(theirs)).toEqual([theirSubject]);

    await mine.call(subjects.deleteSubject, { params: { id } });
    expect(await listSubjects(mine)).toEqual([]);
    expect(await listSubjects(theirs)).toEqual([theirSubject]);
    // The next colour depends only on the tutor's own subjects.
    expect((await createSubject(mine, ownSubject)).color).toBe('pine');
  });
});
