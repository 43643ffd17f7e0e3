import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const ruth = {
  carerName: 'Ruth Hale',
  carerRelationship: 'Mother',
  carerPhone: '+447700900002',
  carerEmail: 'ruth@example.com',
};
const BLANK = { carerName: '', carerRelationship: '', carerPhone: '', carerEmail: '' };

const listCarers = async (browser: Browser) => (await browser.call(students.listCarers)).body;
const listStudents = async (browser: Browser) => (await browser.call(students.listStudents)).body;

/** Maya and Noah share a carer. */
async function createSiblings() {
  const { browser } = await createTutor(app);
  const maya = await createStudent(browser, { name: 'Maya', ...ruth });
  const noah = await createStudent(browser, { name: 'Noah', carerId: maya.carerId });
  const change = (id: number, body: object) =>
    browser.call(students.updateStudent, { params: { id }, body: { name: 'Maya', ...body } });
  return { browser, maya, noah, change };
}

describe('siblings', () => {
  test('[ENT-14] two students share one carer, and a change applies to both', async () => {
    const { browser, maya, noah, change } = await createSiblings();
    expect(noah).toMatchObject({ carerId: maya.carerId, ...ruth });
    const changedCarer = { ...ruth, carerName: 'Ruth Hale-Smith', carerPhone: '+447700900003' };
    await change(maya.id, changedCarer);
    const contacts = [{ name: changedCarer.carerName, phone: changedCarer.carerPhone }];
    expect(await listStudents(browser)).toMatchObject([
      { ...maya, ...changedCarer, contacts },
      { ...noah, ...changedCarer, contacts },
    ]);
    expect(await listCarers(browser)).toHaveLength(1);
  });

  test('adding a student with an existing carer can change individual fields of that carer', async () => {
    const { browser, maya } = await createSiblings();
    const body = {
      name: 'Lena',
      carerId: maya.carerId,
      carerPhone: '07700 900009',
      carerEmail: '',
    };
    const lena = await createStudent(browser, body);
    const expected = { ...ruth, carerPhone: '+447700900009', carerEmail: null };
    expect(lena).toMatchObject(expected);
    for (const student of await listStudents(browser)) expect(student).toMatchObject(expected);
  });

  test('blank fields sent with a selected carer leave the carer unchanged', async () => {
    const { browser, maya } = await createSiblings();
    const lena = await createStudent(browser, { name: 'Lena', carerId: maya.carerId, ...BLANK });
    expect(lena).toMatchObject({ carerId: maya.carerId, ...ruth });
  });

  test('an unknown carer id returns 404 and nothing is saved', async () => {
    const { browser, maya, change } = await createSiblings();
    const before = await listStudents(browser);
    for (const carerId of [2, 99, 2_147_483_647]) {
      const body = { name: 'Lena', ...ruth, carerId };
      const responses = [
        await browser.call(students.createStudent, { body }),
        await change(maya.id, body),
      ];
      for (const { status, error } of responses) {
        expect(status).toBe(404);
        expect(error).toEqual({ code: 'not_found', message: "We couldn't find that carer." });
      }
    }
    expect(await listStudents(browser)).toEqual(before);
  });
});

describe('changing a student’s carer', () => {
  test('a null carerId with a name creates a new carer, and siblings keep theirs', async () => {
    const { browser, maya, change } = await createSiblings();
    const before = (await listStudents(browser)).filter((student) => student.id !== maya.id);
    const response = await change(maya.id, { name: 'Maya', carerId: null, carerName: 'Omar Aziz' });
    expect(response.body.carerName).toBe('Omar Aziz');
    expect(response.body.carerId).not.toBe(maya.carerId);
    const after = (await listStudents(browser)).filter((student) => student.id !== maya.id);
    expect(after).toEqual(before);
  });

  test('a name without carerId creates a new carer each time', async () => {
    const { browser } = await createTutor(app);
    const first = await createStudent(browser, { name: 'Maya', ...ruth });
    const second = await createStudent(browser, { name: 'Noah', ...ruth });
    expect([first.carerId, second.carerId]).toEqual([1, 2]);
  });

  test('a carer can be added to a student who has none', async () => {
    const { browser } = await createTutor(app);
    const { id } = await createStudent(browser);
    const response = await browser.call(students.updateStudent, {
      params: { id },
      body: { name: 'Maya', ...ruth },
    });
    // The student's own contact has the first id.
    expect(response.body).toMatchObject({ carerId: 2, ...ruth });
  });

  test('clearing all fields detaches the carer from this student only', async () => {
    const { browser, maya, noah, change } = await createSiblings();
    const response = await change(maya.id, BLANK);
    expect(response.body).toMatchObject({ carerId: null, carerName: null, carerPhone: null });
    expect(await listCarers(browser)).toMatchObject([{ id: noah.carerId, students: ['Noah'] }]);
    expect((await listStudents(browser))[1]).toEqual(noah);
  });

  test('the carer is unchanged when no carer field is sent', async () => {
    const { maya, change } = await createSiblings();
    expect((await change(maya.id, { notes: 'Likes chess' })).body).toMatchObject({
      carerId: maya.carerId,
      ...ruth,
      notes: 'Likes chess',
    });
  });

  test('a student can be moved to another carer without changing either carer’s details', async () => {
    const { browser, maya, noah, change } = await createSiblings();
    const lena = await createStudent(browser, { name: 'Lena', carerName: 'Omar Aziz' });
    const response = await change(maya.id, { ...BLANK, carerId: lena.carerId });
    expect(response.body).toMatchObject({ carerId: lena.carerId, carerName: 'Omar Aziz' });
    const list = await listCarers(browser);
    expect(list.map((carer) => [carer.name, carer.students])).toEqual([
      ['Ruth Hale', ['Noah']],
      ['Omar Aziz', ['Maya', 'Lena']],
    ]);
    expect((await listStudents(browser)).find(({ id }) => id === noah.id)).toEqual(noah);
  });

  test.each([
    ['the current carer', () => ({})],
    ['a selected carer', (carerId: number | null) => ({ carerId })],
  ])('clearing only the name of %s is rejected, and nothing changes', async (_, carerFields) => {
    const { browser, maya, change } = await createSiblings();
    const before = await listStudents(browser);
    const response = await change(maya.id, {
      ...ruth,
      ...carerFields(maya.carerId),
      carerName: ' ',
    });
    expect(response.status).toBe(400);
    expect(response.error).toEqual({
      code: 'invalid',
      message: 'Carer name is required',
      fields: { carerName: 'Carer name is required' },
    });
    expect(await listStudents(browser)).toEqual(before);
  });
});

describe('the list of carers', () => {
  test('contains each carer’s details and student names', async () => {
    const { browser, maya } = await createSiblings();
    await createStudent(browser, { name: 'Lena', carerName: 'Omar Aziz' });
    await createStudent(browser, { name: 'Student without a carer' });
    expect(await listCarers(browser)).toEqual([
      {
        id: maya.carerId,
        name: ruth.carerName,
        relationship: ruth.carerRelationship,
        phone: ruth.carerPhone,
        email: ruth.carerEmail,
        students: ['Maya', 'Noah'],
      },
      {
        id: 2,
        name: 'Omar Aziz',
        relationship: null,
        phone: null,
        email: null,
        students: ['Lena'],
      },
    ]);
  });

  test('omits archived students, and carers without active students', async () => {
    const { browser, maya, noah } = await createSiblings();
    await browser.call(students.deleteStudent, { params: { id: maya.id } });
    expect(await listCarers(browser)).toMatchObject([{ id: maya.carerId, students: ['Noah'] }]);
    await browser.call(students.deleteStudent, { params: { id: noah.id } });
    expect(await listCarers(browser)).toEqual([]);
    // A carer without active students can still be selected by id.
    const lena = await createStudent(browser, { name: 'Lena', carerId: maya.carerId });
    expect(lena).toMatchObject(ruth);
  });
});
