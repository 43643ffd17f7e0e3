import { accounts } from '@lessonbook/contract/accounts';
import { type Student, students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { getStudentOrThrow } from './service/students.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const NO_CARER = {
  carerId: null,
  carerName: null,
  carerRelationship: null,
  carerPhone: null,
  carerEmail: null,
};
const maya = {
  name: 'Maya Hale',
  phone: '+447700900001',
  email: 'maya@example.com',
  subject: 'Maths and a little physics',
  notes: 'Likes chess',
  school: 'Mill Lane School',
  schoolYear: 'Year 9',
};
const carer = {
  carerName: 'Ruth Hale',
  carerRelationship: 'Mother',
  carerPhone: '+447700900002',
  carerEmail: 'ruth@example.com',
};

/** Only the fields that are in the specification. */
const specFields = ({
  contacts: _contacts,
  payers: _payers,
  balances: _balances,
  status: _status,
  pause: _pause,
  subjectIds: _subjectIds,
  termCalendarId: _termCalendarId,
  travelFee: _travelFee,
  notesForStudentOnly: _notesForStudentOnly,
  leftOn: _leftOn,
  portalEndsOn: _portalEndsOn,
  ...student
}: Student) => student;

describe('creating and listing students', () => {
  test('[API-22, ENT-11] POST /api/students with the form data saves id, name, phone, email, subject and notes', async () => {
    const { browser } = await createTutor(app);
    const response = await browser.call(students.createStudent, { body: maya });
    expect(response.status).toBe(201);
    expect(specFields(response.body)).toEqual({ id: 1, ...maya, ...NO_CARER, familyId: 1 });
    expect((await browser.call(students.listStudents)).body).toEqual([response.body]);
  });

  test('requests with the same idempotency key, including concurrent ones, add one student', async () => {
    const { browser } = await createTutor(app);
    const add = () =>
      browser.send(
        'POST',
        '/api/students',
        { ...maya, ...carer },
        { 'idempotency-key': 'maya-once' },
      );
    const [first, second] = await Promise.all([add(), add()]);
    const third = await add();
    for (const response of [first, second, third]) expect(response.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(third.body).toEqual(first.body);
    expect((await browser.call(students.listStudents)).body).toEqual([first.body]);
  });

  test('[STUD-33] a student can be saved with only a name', async () => {
    const { browser } = await createTutor(app);
    const student = await createStudent(browser, { name: 'Maya' });
    const empty = {
      phone: null,
      email: null,
      subject: null,
      notes: null,
      school: null,
      schoolYear: null,
      ...NO_CARER,
    };
    expect(specFields(student)).toEqual({ id: 1, name: 'Maya', ...empty, familyId: 1 });
    const blank = Object.fromEntries(
      [...Object.keys(maya), ...Object.keys(carer)].map((field) => [field, '']),
    );
    expect(specFields(await createStudent(browser, { ...blank, name: ' Noah ' }))).toEqual({
      id: 2,
      name: 'Noah',
      ...empty,
      familyId: 2,
    });
  });

  test('[API-21] GET /api/students returns the students in the order in which they were added', async () => {
    const { browser } = await createTutor(app);
    expect((await browser.call(students.listStudents)).body).toEqual([]);
    for (const name of ['Zoë', 'maya', 'Élodie']) await createStudent(browser, { name });
    const { body } = await browser.call(students.listStudents);
    expect(body.map(({ name }) => name)).toEqual(['Zoë', 'maya', 'Élodie']);
  });

  test('[ENT-12] F113 a student’s subject text is updated when a saved subject is renamed', async () => {
    const { browser } = await createTutor(app);
    const { id } = await createSubject(browser, { name: 'Maths' });
    await createStudent(browser, { subject: 'Physics, maths' });
    const other = await createStudent(browser, { subject: 'not a saved subject' });
    await browser.call(subjects.updateSubject, {
      params: { id },
      body: { name: 'Art', defaultFee: 1 },
    });
    await browser.call(subjects.deleteSubject, { params: { id } });
    const { body } = await browser.call(students.listStudents);
    expect(body.map(({ subject }) => subject)).toEqual(['Physics, Art', other.subject]);
  });

  test('[ENT-13] requests and responses contain the carer’s details as flat fields', async () => {
    const { browser } = await createTutor(app);
    const student = await createStudent(browser, { ...maya, ...carer });
    expect(specFields(student)).toEqual({ id: 1, ...maya, carerId: 1, ...carer, familyId: 1 });
    expect((await browser.call(students.listStudents)).body).toEqual([student]);
    const changed = { ...carer, carerName: 'Ruth Hale-Smith', carerRelationship: '' };
    const response = await browser.call(students.updateStudent, {
      params: { id: student.id },
      body: { ...maya, ...changed },
    });
    expect(specFields(response.body)).toEqual({
      ...specFields(student),
      ...changed,
      carerRelationship: null,
    });
  });

  test('phone numbers are stored with a country code, using the tutor’s if the number has none', async () => {
    const input = { phone: '07700 900001', carerName: 'Ruth', carerPhone: '00 353 1 234 5678' };
    const { browser: london } = await createTutor(app);
    expect(await createStudent(london, input)).toMatchObject({
      phone: '+447700900001',
      carerPhone: '+35312345678',
    });
    const { browser: berlin } = await createTutor(app, { timeZone: 'Europe/Berlin' });
    expect(await createStudent(berlin, input)).toMatchObject({
      phone: '07700 900001',
      carerPhone: '+35312345678',
    });
  });

  test('F103 rejects a phone number that cannot be dialled, except one stored earlier', async () => {
    const { browser } = await createTutor(app, { timeZone: 'Europe/Berlin' });
    const stored = { name: 'Maya', phone: '12345', carerName: 'Ruth', carerPhone: '54321' };
    const { id, carerId } = await createStudent(browser, stored);
    const { name, email } = (await browser.call(accounts.me)).body;
    const body = { name, email, timeZone: 'Europe/London' };
    await browser.call(accounts.updateMe, { body });
    const update = (change: object) =>
      browser.call(students.updateStudent, {
        params: { id },
        body: { ...stored, carerId, ...change },
      });
    expect((await update({ name: 'Maya Hale' })).body).toMatchObject({ phone: '12345' });
    const { status, error } = await update({ phone: 'abc', carerPhone: '543' });
    expect(status).toBe(400);
    expect(error.fields).toEqual({
      phone: 'Enter only the number, for example 07700 900123',
      carerPhone: 'This number is too short',
    });
  });
});

describe('changing and deleting', () => {
  test('[API-24] PUT /api/students/{id} with the form data changes the student', async () => {
    const { browser } = await createTutor(app);
    const other = await createStudent(browser, { name: 'Noah' });
    const { id } = await createStudent(browser, { name: 'M.', notes: 'old', subject: 'old' });
    const response = await browser.call(students.updateStudent, { params: { id }, body: maya });
    expect(response.status).toBe(200);
    expect(specFields(response.body)).toEqual({ id, ...maya, ...NO_CARER, familyId: id });
    expect((await browser.call(students.listStudents)).body).toEqual([other, response.body]);
    const cleared = await browser.call(students.updateStudent, {
      params: { id },
      body: { name: 'Maya', phone: '', email: '', subject: null },
    });
    expect(cleared.body).toMatchObject({
      phone: null,
      email: null,
      subject: null,
      notes: null,
      school: null,
      schoolYear: null,
    });
  });

  test('[API-26] DELETE /api/students/{id} without a body removes the student from the list but keeps the row', async () => {
    const { browser, input } = await createTutor(app);
    const { id } = await createStudent(browser, { ...maya, ...carer });
    const other = await createStudent(browser, { name: 'Noah' });
    const response = await browser.call(students.deleteStudent, { params: { id } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: 'Student deleted successfully' });
    expect((await browser.call(students.listStudents)).body).toEqual([other]);
    const tutorId = await findTutorId(app, input);
    const [rows] = await app.context.db.tutorRead(tutorId, (tx) => [
      tx
        .selectFrom('students')
        .where('tutor_id', '=', tutorId)
        .where('id', '=', id)
        .select(['name', 'contact_id', 'archived_at']),
    ]);
    expect(rows).toEqual([{ name: maya.name, contact_id: 1, archived_at: app.clock.now() }]);
  });

  test('an unknown or deleted student returns 404, and getStudentOrThrow throws not_found', async () => {
    const { browser, input } = await createTutor(app);
    const { id: deleted } = await createStudent(browser);
    await browser.call(students.deleteStudent, { params: { id: deleted } });
    const tutorId = await findTutorId(app, input);
    for (const id of [deleted, 99, 2_147_483_647]) {
      const responses = [
        await browser.call(students.updateStudent, { params: { id }, body: { ...maya, ...carer } }),
        await browser.call(students.deleteStudent, { params: { id } }),
      ];
      for (const { status, error } of responses) {
        expect(status).toBe(404);
        expect(error).toEqual({ code: 'not_found', message: "We couldn't find that student." });
      }
      await expect(
        app.context.db.tutorTransaction(tutorId, (tx) => getStudentOrThrow(tx, tutorId, id)),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
    // The rejected changes were rolled back, so the next carer gets the id after the deleted student's own contact.
    expect((await createStudent(browser, carer)).carerId).toBe(2);
  });

  test.each(['0', '-1', '1.5', 'abc', '2147483648', '1e99'])(
    'returns 400 for the id %s in the path',
    async (id) => {
      const { browser } = await createTutor(app);
      expect((await browser.send('PUT', `/api/students/${id}`, maya)).status).toBe(400);
      expect((await browser.send('DELETE', `/api/students/${id}`)).status).toBe(400);
    },
  );
});

describe('validation', () => {
  const invalidInputs: [string, object, string][] = [
    ['name', { name: '' }, 'Name is required'],
    ['name', { name: '   ' }, 'Name is required'],
    ['name', { name: undefined }, 'Name is required'],
    ['name', { name: 'x'.repeat(101) }, 'Please use at most 100 characters'],
    ['email', { email: 'maya' }, 'Invalid email'],
    ['email', { email: `${'x'.repeat(250)}@example.com` }, 'Invalid email'],
    ['carerEmail', { carerEmail: 'ruth@' }, 'Invalid email'],
    ['phone', { phone: '0'.repeat(41) }, 'Please use at most 40 characters'],
    ['subject', { subject: 'x'.repeat(201) }, 'Please use at most 200 characters'],
    ['notes', { notes: 'x'.repeat(4001) }, 'Please use at most 4000 characters'],
    ['school', { school: 'x'.repeat(101) }, 'Please use at most 100 characters'],
    ['schoolYear', { schoolYear: 'x'.repeat(41) }, 'Please use at most 40 characters'],
    ['carerName', { carerName: 'x'.repeat(101) }, 'Please use at most 100 characters'],
    [
      'carerRelationship',
      { carerRelationship: 'x'.repeat(61) },
      'Please use at most 60 characters',
    ],
    ['carerPhone', { carerPhone: '0'.repeat(41) }, 'Please use at most 40 characters'],
    ['carerName', { carerName: '' }, 'Carer name is required'],
    ['carerName', { carerName: null, carerEmail: '', carerPhone: '' }, 'Carer name is required'],
  ];

  test.each(invalidInputs)(
    '[API-50] rejects an invalid %s (%j) with the same message as the form',
    async (field, change, message) => {
      const { browser } = await createTutor(app);
      const { id } = await createStudent(browser, { ...maya, ...carer });
      const before = (await browser.call(students.listStudents)).body;
      const responses = [
        await browser.send('POST', '/api/students', { ...maya, ...carer, ...change }),
        await browser.send('PUT', `/api/students/${id}`, { ...maya, ...carer, ...change }),
      ];
      for (const { status, error } of responses) {
        expect(status).toBe(400);
        expect(error).toEqual({ code: 'invalid', message, fields: { [field]: message } });
      }
      expect((await browser.call(students.listStudents)).body).toEqual(before);
    },
  );

  test('[API-50] both email addresses may be empty', async () => {
    const { browser } = await createTutor(app);
    const student = await createStudent(browser, { ...maya, ...carer, email: '', carerEmail: '' });
    expect(student).toMatchObject({ email: null, carerEmail: null });
  });

  test.each([0, -1, 1.5, '1', true])('rejects the carerId %j', async (carerId) => {
    const { browser } = await createTutor(app);
    const response = await browser.send('POST', '/api/students', { ...maya, carerId });
    expect(response.status).toBe(400);
    expect(Object.keys(response.error.fields ?? {})).toEqual(['carerId']);
  });
});

describe('concurrency', () => {
  test('a request repeated with the same idempotency key creates one student', async () => {
    const { browser } = await createTutor(app);
    const body = { name: 'Maya Okafor', carerName: 'Ruth' };
    const send = () =>
      browser.send('POST', '/api/students', body, { 'idempotency-key': 'one-student' });
    const responses = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    expect((await browser.call(students.listStudents)).body).toHaveLength(1);
  });

  test('eight concurrent creates assign the ids 1 to 8 to students and to carers', async () => {
    const { browser } = await createTutor(app);
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createStudent(browser, { ...carer, name: `S${index}` }),
      ),
    );
    const expectedIds = [1, 2, 3, 4, 5, 6, 7, 8];
    const sorted = created.toSorted((a, b) => a.id - b.id);
    expect(sorted.map(({ id }) => id)).toEqual(expectedIds);
    expect(sorted.map(({ carerId }) => carerId)).toEqual(expectedIds);
  });

  test('when two updates are concurrent, one wins completely, including the carer', async () => {
    const { browser } = await createTutor(app);
    const { id, carerId, familyId } = await createStudent(browser, { ...maya, ...carer });
    const phoneOf = (text: string) => (text === 'one' ? '+447700900111' : '+447700900222');
    const inputWith = (text: string) => ({
      name: text,
      phone: phoneOf(text),
      email: `${text}@example.com`,
      subject: text,
      notes: text,
      school: text,
      schoolYear: text,
      carerName: text,
      carerRelationship: text,
      carerPhone: phoneOf(text),
      carerEmail: `${text}@example.com`,
    });
    const responses = await Promise.all(
      ['one', 'other'].map((text) =>
        browser.call(students.updateStudent, { params: { id }, body: inputWith(text) }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const [saved] = (await browser.call(students.listStudents)).body;
    expect(
      [inputWith('one'), inputWith('other')].map((body) => ({ id, carerId, familyId, ...body })),
    ).toContainEqual(specFields(saved as Student));
  });

  test('only one of eight concurrent deletes succeeds', async () => {
    const { browser } = await createTutor(app);
    const { id } = await createStudent(browser);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => browser.call(students.deleteStudent, { params: { id } })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(7);
  });
});
