import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { getStudentOrThrow } from './service/students.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

/** If a response to another tutor matches this pattern, data has leaked. */
const CANARY = /canary|77009009/;
const canary = {
  name: 'canary name',
  phone: '+447700900991',
  email: 'canary-student@example.com',
  subject: 'canary subject',
  notes: 'canary notes',
  school: 'canary school',
  schoolYear: 'canary year',
  carerName: 'canary carer',
  carerRelationship: 'canary relationship',
  carerPhone: '+447700900992',
  carerEmail: 'canary-carer@example.com',
};
const ownStudent = {
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

const readAll = async (browser: Browser) => ({
  students: (await browser.call(students.listStudents)).body,
  carers: (await browser.call(students.listCarers)).body,
});

describe("another tutor's students and carers", () => {
  test('[AUTH-45, V8.2.2, T06] an id that exists only for the other tutor returns 404', async () => {
    const { browser: theirs } = await createTutor(app);
    for (let count = 0; count < 3; count += 1) await createStudent(theirs, canary);
    const before = await readAll(theirs);
    expect(JSON.stringify(before)).toMatch(CANARY);
    const { browser: mine, input } = await createTutor(app);
    const myStudent = await createStudent(mine, ownStudent);
    const myData = await readAll(mine);
    const tutorId = await findTutorId(app, input);
    for (const id of [2, 3]) {
      const responses = [
        await mine.call(students.updateStudent, { params: { id }, body: ownStudent }),
        await mine.call(students.deleteStudent, { params: { id } }),
        await mine.call(students.previewStudentDeletion, { params: { id } }),
        await mine.call(students.createStudent, { body: { name: 'Lena', carerId: id } }),
        await mine.call(students.createStudent, { body: { ...ownStudent, carerId: id } }),
        await mine.call(students.updateStudent, {
          params: { id: myStudent.id },
          body: { ...ownStudent, carerId: id },
        }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(404);
        expect(JSON.stringify(response.body)).not.toMatch(CANARY);
      }
      await expect(
        app.context.db.tutorTransaction(tutorId, (tx) => getStudentOrThrow(tx, tutorId, id)),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await readAll(mine)).toEqual(myData);
    expect(await readAll(theirs)).toEqual(before);
  });

  test('[AUTH-45] when both tutors have the same ids, each reads and changes only their own data', async () => {
    const { browser: theirs } = await createTutor(app);
    const { browser: mine, input } = await createTutor(app);
    const theirStudent = await createStudent(theirs, canary);
    const before = await readAll(theirs);
    const myStudent = await createStudent(mine, ownStudent);
    expect([myStudent.id, myStudent.carerId]).toEqual([theirStudent.id, theirStudent.carerId]);
    const { id, carerId } = myStudent;

    const responses: unknown[] = [myStudent, await readAll(mine)];
    const sibling = await mine.call(students.createStudent, { body: { name: 'Noah', carerId } });
    expect(sibling.body).toMatchObject({ carerId, carerName: 'Ruth' });
    const changed = await mine.call(students.updateStudent, {
      params: { id },
      body: { ...ownStudent, carerId, notes: 'changed', carerName: 'Ruth Hale' },
    });
    const contacts = myStudent.contacts.map((contact) => ({ ...contact, name: 'Ruth Hale' }));
    expect(changed.body).toEqual({
      ...myStudent,
      notes: 'changed',
      carerName: 'Ruth Hale',
      contacts,
    });
    const tutorId = await findTutorId(app, input);
    const found = await app.context.db.tutorTransaction(tutorId, (tx) =>
      getStudentOrThrow(tx, tutorId, id),
    );
    expect(found).toEqual(changed.body);
    responses.push(sibling.body, changed.body, found, await readAll(mine));
    expect(await readAll(theirs)).toEqual(before);

    const deleted = await mine.call(students.deleteStudent, { params: { id } });
    expect(deleted.status).toBe(200);
    const after = await readAll(mine);
    expect(after.students.map(({ name }) => name)).toEqual(['Noah']);
    expect(after.carers.map((carer) => [carer.name, carer.students])).toEqual([
      ['Ruth Hale', ['Noah']],
    ]);
    responses.push(deleted.body, after);
    expect(JSON.stringify(responses)).not.toMatch(CANARY);
    expect(await readAll(theirs)).toEqual(before);
  });
});
