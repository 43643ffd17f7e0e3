import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { newStudent } from '../../test/factories.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, findTutorId } from '../../test/tutor.ts';
import { getStudentOrThrow } from './service/students.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

/** Seen anywhere in another tutor's answer, this is a leak. */
const CANARY = /canary|77009009/;
const canary = {
  name: 'canary name',
  phone: '+447700900991',
  email: 'canary-student@example.com',
  subject: 'canary subject',
  notes: 'canary notes',
  carerName: 'canary carer',
  carerRelationship: 'canary relationship',
  carerPhone: '+447700900992',
  carerEmail: 'canary-carer@example.com',
};
const plain = {
  name: 'Maya',
  phone: '+447700900001',
  email: 'maya@example.com',
  subject: 'Maths',
  notes: 'mine',
  carerName: 'Ruth',
  carerRelationship: 'Mother',
  carerPhone: '+447700900002',
  carerEmail: 'ruth@example.com',
};

/** Everything of a tutor's that these calls can show. */
const book = async (browser: Browser) => ({
  students: (await browser.call(students.listStudents)).body,
  carers: (await browser.call(students.listCarers)).body,
});

describe("another tutor's students and carers", () => {
  test('[AUTH-45, V8.2.2, T06] an id that only the other tutor has is in no book of mine', async () => {
    const { browser: theirs } = await createTutor(app);
    for (let count = 0; count < 3; count += 1) await newStudent(theirs, canary);
    const before = await book(theirs);
    expect(JSON.stringify(before)).toMatch(CANARY);
    const { browser: mine, input } = await createTutor(app);
    const my = await newStudent(mine, plain);
    const myBook = await book(mine);
    const tutorId = await findTutorId(app, input);
    for (const id of [2, 3]) {
      const answers = [
        await mine.call(students.updateStudent, { params: { id }, body: plain }),
        await mine.call(students.deleteStudent, { params: { id } }),
        await mine.call(students.createStudent, { body: { name: 'Lena', carerId: id } }),
        await mine.call(students.createStudent, { body: { ...plain, carerId: id } }),
        await mine.call(students.updateStudent, {
          params: { id: my.id },
          body: { ...plain, carerId: id },
        }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
      }
      await expect(
        app.context.db.tutorTransaction(tutorId, (tx) => getStudentOrThrow(tx, tutorId, id)),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await book(mine)).toEqual(myBook);
    expect(await book(theirs)).toEqual(before);
  });

  test('[AUTH-45] with equal ids I read and change my own and never theirs', async () => {
    const { browser: theirs } = await createTutor(app);
    const { browser: mine, input } = await createTutor(app);
    const their = await newStudent(theirs, canary);
    const before = await book(theirs);
    const my = await newStudent(mine, plain);
    expect([my.id, my.carerId]).toEqual([their.id, their.carerId]);
    const { id, carerId } = my;

    const answers: unknown[] = [my, await book(mine)];
    const sibling = await mine.call(students.createStudent, { body: { name: 'Noah', carerId } });
    expect(sibling.body).toMatchObject({ carerId, carerName: 'Ruth' });
    const changed = await mine.call(students.updateStudent, {
      params: { id },
      body: { ...plain, carerId, notes: 'changed', carerName: 'Ruth Hale' },
    });
    expect(changed.body).toEqual({ ...my, notes: 'changed', carerName: 'Ruth Hale' });
    const tutorId = await findTutorId(app, input);
    const inBook = await app.context.db.tutorTransaction(tutorId, (tx) =>
      getStudentOrThrow(tx, tutorId, id),
    );
    expect(inBook).toEqual(changed.body);
    answers.push(sibling.body, changed.body, inBook, await book(mine));
    expect(await book(theirs)).toEqual(before);

    const gone = await mine.call(students.deleteStudent, { params: { id } });
    expect(gone.status).toBe(200);
    const after = await book(mine);
    expect(after.students.map(({ name }) => name)).toEqual(['Noah']);
    expect(after.carers.map((carer) => [carer.name, carer.students])).toEqual([
      ['Ruth Hale', ['Noah']],
    ]);
    answers.push(gone.body, after);
    expect(JSON.stringify(answers)).not.toMatch(CANARY);
    expect(await book(theirs)).toEqual(before);
  });
});
