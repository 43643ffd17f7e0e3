import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { newStudent } from '../../test/factories.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor } from '../../test/tutor.ts';

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

const carersOf = async (browser: Browser) => (await browser.call(students.listCarers)).body;
const studentsOf = async (browser: Browser) => (await browser.call(students.listStudents)).body;

/** Maya and Noah, who share a mother. */
async function siblings() {
  const { browser } = await createTutor(app);
  const maya = await newStudent(browser, { name: 'Maya', ...ruth });
  const noah = await newStudent(browser, { name: 'Noah', carerId: maya.carerId });
  const change = (id: number, body: object) =>
    browser.call(students.updateStudent, { params: { id }, body: { name: 'Maya', ...body } });
  return { browser, maya, noah, change };
}

describe('siblings', () => {
  test('[ENT-14] two students share one carer, and changing it at one shows at both', async () => {
    const { browser, maya, noah, change } = await siblings();
    expect(noah).toMatchObject({ carerId: maya.carerId, ...ruth });
    const moved = { ...ruth, carerName: 'Ruth Hale-Smith', carerPhone: '+447700900003' };
    await change(maya.id, moved);
    expect(await studentsOf(browser)).toEqual([
      { ...maya, ...moved },
      { ...noah, ...moved },
    ]);
    expect(await carersOf(browser)).toHaveLength(1);
  });

  test('a new student who picks a carer may change it too, field by field', async () => {
    const { browser, maya } = await siblings();
    const body = {
      name: 'Lena',
      carerId: maya.carerId,
      carerPhone: '07700 900009',
      carerEmail: '',
    };
    const lena = await newStudent(browser, body);
    const expected = { ...ruth, carerPhone: '+447700900009', carerEmail: null };
    expect(lena).toMatchObject(expected);
    for (const student of await studentsOf(browser)) expect(student).toMatchObject(expected);
  });

  test('blank fields beside a picked carer leave it as it is', async () => {
    const { browser, maya } = await siblings();
    const lena = await newStudent(browser, { name: 'Lena', carerId: maya.carerId, ...BLANK });
    expect(lena).toMatchObject({ carerId: maya.carerId, ...ruth });
  });

  test('a carer that is not in the book cannot be picked, and nothing is saved', async () => {
    const { browser, maya, change } = await siblings();
    const before = await studentsOf(browser);
    for (const carerId of [2, 99, 2_147_483_647]) {
      const body = { name: 'Lena', ...ruth, carerId };
      const answers = [
        await browser.call(students.createStudent, { body }),
        await change(maya.id, body),
      ];
      for (const { status, error } of answers) {
        expect(status).toBe(404);
        expect(error).toEqual({ code: 'not_found', message: 'That carer is not in your book.' });
      }
    }
    expect(await studentsOf(browser)).toEqual(before);
  });
});

describe('changing the carer of a student', () => {
  test('an explicit none with a name is somebody new, and the siblings keep theirs', async () => {
    const { browser, maya, change } = await siblings();
    const before = (await studentsOf(browser)).filter((student) => student.id !== maya.id);
    const answer = await change(maya.id, { name: 'Maya', carerId: null, carerName: 'Omar Aziz' });
    expect(answer.body.carerName).toBe('Omar Aziz');
    expect(answer.body.carerId).not.toBe(maya.carerId);
    const after = (await studentsOf(browser)).filter((student) => student.id !== maya.id);
    expect(after).toEqual(before);
  });

  test('a carer name without a picked carer makes one, and a second time another', async () => {
    const { browser } = await createTutor(app);
    const first = await newStudent(browser, { name: 'Maya', ...ruth });
    const second = await newStudent(browser, { name: 'Noah', ...ruth });
    expect([first.carerId, second.carerId]).toEqual([1, 2]);
  });

  test('a student without one gets one', async () => {
    const { browser } = await createTutor(app);
    const { id } = await newStudent(browser);
    const answer = await browser.call(students.updateStudent, {
      params: { id },
      body: { name: 'Maya', ...ruth },
    });
    expect(answer.body).toMatchObject({ carerId: 1, ...ruth });
  });

  test('emptying all fields parts the student from the carer, who stays with the others', async () => {
    const { browser, maya, noah, change } = await siblings();
    const answer = await change(maya.id, BLANK);
    expect(answer.body).toMatchObject({ carerId: null, carerName: null, carerPhone: null });
    expect(await carersOf(browser)).toMatchObject([{ id: noah.carerId, students: ['Noah'] }]);
    expect((await studentsOf(browser))[1]).toEqual(noah);
  });

  test('a carer of whom nothing is said stays', async () => {
    const { maya, change } = await siblings();
    expect((await change(maya.id, { notes: 'Likes chess' })).body).toMatchObject({
      carerId: maya.carerId,
      ...ruth,
      notes: 'Likes chess',
    });
  });

  test('another carer is taken as it is, and the one before keeps its students and its fields', async () => {
    const { browser, maya, noah, change } = await siblings();
    const lena = await newStudent(browser, { name: 'Lena', carerName: 'Omar Aziz' });
    const answer = await change(maya.id, { ...BLANK, carerId: lena.carerId });
    expect(answer.body).toMatchObject({ carerId: lena.carerId, carerName: 'Omar Aziz' });
    const list = await carersOf(browser);
    expect(list.map((one) => [one.name, one.students])).toEqual([
      ['Omar Aziz', ['Maya', 'Lena']],
      ['Ruth Hale', ['Noah']],
    ]);
    expect((await studentsOf(browser)).find(({ id }) => id === noah.id)).toEqual(noah);
  });

  test.each([
    ['the student’s own', () => ({})],
    ['a picked one', (carerId: number | null) => ({ carerId })],
  ])('emptying only the name of %s is refused, and nothing changes', async (_, picked) => {
    const { browser, maya, change } = await siblings();
    const before = await studentsOf(browser);
    const answer = await change(maya.id, { ...ruth, ...picked(maya.carerId), carerName: ' ' });
    expect(answer.status).toBe(400);
    expect(answer.error).toEqual({
      code: 'invalid',
      message: 'Carer name is required',
      fields: { carerName: 'Carer name is required' },
    });
    expect(await studentsOf(browser)).toEqual(before);
  });
});

describe('the list of carers', () => {
  test('has each with what is known and the names of its students, by name', async () => {
    const { browser, maya } = await siblings();
    await newStudent(browser, { name: 'Lena', carerName: 'Omar Aziz' });
    await newStudent(browser, { name: 'Nobody’s child' });
    expect(await carersOf(browser)).toEqual([
      {
        id: 2,
        name: 'Omar Aziz',
        relationship: null,
        phone: null,
        email: null,
        students: ['Lena'],
      },
      {
        id: maya.carerId,
        name: ruth.carerName,
        relationship: ruth.carerRelationship,
        phone: ruth.carerPhone,
        email: ruth.carerEmail,
        students: ['Maya', 'Noah'],
      },
    ]);
  });

  test('does not name students who left, nor carers whose students all left', async () => {
    const { browser, maya, noah } = await siblings();
    await browser.call(students.deleteStudent, { params: { id: maya.id } });
    expect(await carersOf(browser)).toMatchObject([{ id: maya.carerId, students: ['Noah'] }]);
    await browser.call(students.deleteStudent, { params: { id: noah.id } });
    expect(await carersOf(browser)).toEqual([]);
    // The family comes back: it may be taken up again where it left off.
    const lena = await newStudent(browser, { name: 'Lena', carerId: maya.carerId });
    expect(lena).toMatchObject(ruth);
  });
});
