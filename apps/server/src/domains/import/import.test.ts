import { type ImportInput, imports } from '@lessonbook/contract/import';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  formatSessions,
} from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, findTutorId } from '../../test/tutor.ts';
import { openScheduleTx } from '../lessons/service/schedule-transaction.ts';
import { planLessons, previewLessons } from './service/import-lessons.ts';
import { parseImportFile } from './service/parse-file.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
beforeEach(() => app.restartClock());
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

const preview = (browser: Browser, body: ImportInput) =>
  browser.call(imports.previewImport, { body });
const importRows = (browser: Browser, body: ImportInput, key?: string) =>
  browser.send('POST', '/api/import', body, key ? { 'idempotency-key': key } : {});
const summarize = (rows: { row: number; what: string; state: string; notes: string[] }[]) =>
  rows.map(({ row, what, state, notes }) => [row, what, state, ...notes].join(' | '));
const readNames = async (browser: Browser) =>
  (await browser.call(students.listStudents)).body.map(({ name }) => name);

describe('importing students', () => {
  const file = `E-Mail;Carer Phone;NAME;Shoe size;carer;notes;Relationship
maya@family.example;;Maya Okafor;37;;"likes; fractions";
;07700 900123;Lena Hale;38;Ruth Hale;;Mother
not an address;;Tom Bad;39;;;
;07700900123;Noah Hale;40;ruth hale;;
;;ada known;41;;;
;;lena  hale;42;;;
;;;43;;orphan note;
;07700900555;Una;44;;;`;

  test('the preview shows the result for each row and saves nothing', async () => {
    const { browser } = await createTutor(app);
    await createStudent(browser, { name: 'Ada Known' });
    const { body } = await preview(browser, { kind: 'students', text: file });
    expect(summarize(body.rows)).toEqual([
      '2 | Maya Okafor | new',
      '3 | Lena Hale | new',
      '4 | Tom Bad | invalid | Email: Invalid email',
      '5 | Noah Hale | new',
      '6 | ada known | existing | Already in your book',
      '7 | lena  hale | existing | Same name as row 3',
      '8 | (no name) | invalid | Name is required',
      '9 | Una | invalid | Carer name is required',
    ]);
    expect(body.unknownColumns).toEqual(['Shoe size']);
    expect(await readNames(browser)).toEqual(['Ada Known']);
  });

  test('imports nothing if one row is invalid, and otherwise all rows, with one carer for siblings', async () => {
    const { browser } = await createTutor(app);
    const rejected = await importRows(browser, { kind: 'students', text: file });
    expect([rejected.status, rejected.error.message]).toEqual([
      400,
      'Row 4: Email: Invalid email. Nothing was imported.',
    ]);
    expect(await readNames(browser)).toEqual([]);
    const validText = file
      .split('\n')
      .filter((line) => !/Bad|orphan|Una/.test(line))
      .join('\n');
    const imported = await importRows(browser, { kind: 'students', text: validText });
    expect([imported.status, imported.body]).toEqual([201, { added: 4, existing: 1 }]);
    const list = (await browser.call(students.listStudents)).body;
    const [lena, noah] = ['Lena Hale', 'Noah Hale'].map((name) =>
      list.find((student) => student.name === name),
    );
    expect(lena).toMatchObject({
      carerName: 'Ruth Hale',
      carerRelationship: 'Mother',
      carerPhone: '+447700900123',
    });
    expect(noah?.carerId).toBe(lena?.carerId);
    expect(list.find(({ name }) => name === 'Maya Okafor')?.notes).toBe('likes; fractions');
  });

  test('keeps formulas as text and removes the apostrophe from exported cells', async () => {
    const { browser } = await createTutor(app);
    const text = `name,phone,notes\n"=cmd|'/C calc'!A0",'+447700900123,'=1+1`;
    expect((await importRows(browser, { kind: 'students', text })).status).toBe(201);
    expect((await browser.call(students.listStudents)).body).toMatchObject([
      { name: "=cmd|'/C calc'!A0", phone: '+447700900123', notes: '=1+1' },
    ]);
  });

  test('imports only once for repeated and concurrent requests with the same idempotency key', async () => {
    const { browser } = await createTutor(app);
    const body = { kind: 'students', text: 'name\nMaya\nLena' } as const;
    const [a, b] = await Promise.all([
      importRows(browser, body, 'import-abc'),
      importRows(browser, body, 'import-abc'),
    ]);
    const later = await importRows(browser, body, 'import-abc');
    expect([a.body, b.body, later.body]).toEqual(
      Array.from({ length: 3 }, () => ({ added: 2, existing: 0 })),
    );
    expect((await importRows(browser, body, 'import-xyz')).body).toEqual({ added: 0, existing: 2 });
    expect(await readNames(browser)).toEqual(['Maya', 'Lena']);
  });

  test('[V5.2.1, V5.2.2] rejects malformed, empty and oversized files with a message', async () => {
    const { browser } = await createTutor(app);
    const message = async (text: string) =>
      (await preview(browser, { kind: 'students', text })).error.message;
    expect(await message('Phone,Email\n1,2')).toBe(
      'The first row must name the columns. Missing: “name”.',
    );
    expect(await message('name\n\n')).toBe('There are no rows below the heading.');
    expect(await message('')).toBe('The file is empty');
    const many = `name\n${Array.from({ length: 501 }, (_, index) => `S${index}`).join('\n')}`;
    expect(await message(many)).toBe('That is more than 500 rows. Please split the file.');
    const quoted = `name,notes\nMaya,"${'""'.repeat(99_000)}"`;
    expect((await preview(browser, { kind: 'students', text: quoted })).status).not.toBe(413);
    expect(await message(`name\n${'é'.repeat(100_001)}`)).toBe(
      'The file is too large: 200 kB at most',
    );
  });

  test('F04 a file with 99,000 columns is rejected quickly, and one with 100 is accepted', async () => {
    const { browser } = await createTutor(app);
    const before = process.threadCpuUsage();
    const tooMany = await preview(browser, {
      kind: 'students',
      text: `name${',a'.repeat(99_000)}\nMaya`,
    });
    const { user, system } = process.threadCpuUsage(before);
    expect([tooMany.status, tooMany.error.message]).toEqual([
      400,
      "That is more than 100 columns. Please remove the ones you don't need.",
    ]);
    // Comparing each heading with each name took 6.5 seconds.
    expect((user + system) / 1e6).toBeLessThan(1.5);
    const accepted = await preview(browser, {
      kind: 'students',
      text: `name${',a'.repeat(99)}\nMaya`,
    });
    expect(summarize(accepted.body.rows)).toEqual(['2 | Maya | new']);
  });
});

describe('importing lessons', () => {
  test('imports one-off and weekly lessons, with dates in two formats', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const text = `Student\tSubject\tDate\tStart\tEnd\tFee\tWeekly until
maya okafor\tMATHS\t17/11/2026\t16:00\t17:00\t£40\t01/12/2026
Maya Okafor\tMaths\t2026-11-18\t9:30\t10:15\t\t
Maya Okafor\tMaths\t2026-11-19\t4:00 pm\t5:00 pm\tfree\t`;
    const previewResponse = await preview(fixture.browser, { kind: 'lessons', text });
    expect(previewResponse.body.rows.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
    expect(await formatSessions(fixture)).toEqual([]);
    expect((await importRows(fixture.browser, { kind: 'lessons', text })).body).toEqual({
      added: 3,
      existing: 0,
    });
    expect(await formatSessions(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-18 09:30 scheduled',
      '2026-11-19 16:00 scheduled',
      '2026-11-24 16:00 scheduled',
      '2026-12-01 16:00 scheduled',
    ]);
    const rows = (
      await fixture.browser.call(sessions.listSessions, {
        query: { from: '2026-11-17', to: '2026-11-19' },
      })
    ).body;
    expect(rows.map(({ fee }) => fee)).toEqual([4_000, 3_500, null]);
    // A second import skips every row, because they all exist already.
    expect((await importRows(fixture.browser, { kind: 'lessons', text })).body).toEqual({
      added: 0,
      existing: 3,
    });
  });

  test('F02 a preview that takes too long is rejected', async () => {
    const { browser, input } = await createTutor(app);
    await createStudent(browser, { name: 'Maya Okafor' });
    await createSubject(browser);
    const text = `student,subject,date,start,end,until
Maya Okafor,Maths,2026-11-17,16:00,17:00,2026-12-01`;
    const { rows } = parseImportFile('lessons', text);
    const tutorId = await findTutorId(app, input);
    const tooSlow = app.context.db.tutorSnapshot(tutorId, async (tx) => {
      const schedule = await openScheduleTx(app.context, tx, tutorId);
      return previewLessons(schedule, await planLessons(schedule, rows), -1);
    });
    await expect(tooSlow).rejects.toMatchObject({
      code: 'too_large',
      message: 'This file is too large to preview. Please split it into two or more files.',
    });
    const { body } = await preview(browser, { kind: 'lessons', text });
    expect(body.rows.map(({ state }) => state)).toEqual(['new']);
  });

  test('F02 a preview does not wait for the tutor’s lock and does not take it', async () => {
    const { browser, input } = await createTutor(app);
    await createStudent(browser, { name: 'Maya Okafor' });
    await createSubject(browser);
    const text = `student,subject,date,start,end,until
Maya Okafor,Maths,2026-11-17,16:00,17:00,2026-12-01`;
    const tutorId = await findTutorId(app, input);
    const { body } = await app.context.db.tutorTransaction(tutorId, () =>
      preview(browser, { kind: 'lessons', text }),
    );
    expect(body.rows.map(({ state }) => state)).toEqual(['new']);
  });

  test('F02 the largest file of weekly lessons is previewed, with the overlaps within it', async () => {
    const { browser } = await createTutor(app);
    await createStudent(browser, { name: 'Maya Okafor' });
    await createSubject(browser);
    const times = Array.from({ length: 300 }, (_, index) => [
      `2026-11-${String(17 + (index % 5)).padStart(2, '0')}`,
      `${String(8 + (Math.floor(index / 5) % 12)).padStart(2, '0')}:${String(Math.floor(index / 60)).padStart(2, '0')}`,
    ]);
    const text = [
      'student,subject,date,start,end,until',
      ...times.map(
        ([date, start]) => `Maya Okafor,Maths,${date},${start},${start?.slice(0, 2)}:50,2027-10-01`,
      ),
    ].join('\n');
    const { body } = await preview(browser, { kind: 'lessons', text });
    expect(body.rows.every(({ state }) => state === 'new')).toBe(true);
    expect(body.overlapCount).toBe(240);
  });

  test('reports errors for each row and saves nothing', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const text = `student,subject,date,start,end,fee,until
Nobody,Maths,2026-11-17,16:00,17:00,35,
Maya Okafor,Alchemy,17-11-2026,four,17:00,,soon
Maya Okafor,Maths,2026-11-17,17:00,16:00,35,
Maya Okafor,Maths,2026-11-17,16:00,17:00,lots,
Maya Okafor,Maths,2026-11-17,16:00,17:00,35,2026-11-01
Maya Okafor,Maths,2026-09-01,16:00,17:00,35,2026-10-01
Maya Okafor,Maths,2026-11-20,16:00,17:00,35,`;
    const { body } = await preview(fixture.browser, { kind: 'lessons', text });
    expect(summarize(body.rows)).toEqual([
      '2 | Nobody, 2026-11-17 16:00 | invalid | There is no student called “Nobody”. Import or add them first.',
      '3 | Maya Okafor, 17-11-2026 four | invalid | There is no subject called “Alchemy”. Add it first. | The date must look like 2026-11-17 or 17/11/2026 | The start must look like 16:00 | “Weekly until” must be a date',
      '4 | Maya Okafor, 2026-11-17 17:00 | invalid | End time must be after start time',
      '5 | Maya Okafor, 2026-11-17 16:00 | invalid | The fee must be a number, or free',
      '6 | Maya Okafor, 2026-11-17 16:00 | invalid | End date must not be before the date',
      '7 | Maya Okafor, 2026-09-01 16:00 | invalid | This lesson would have no sessions from today on',
      '8 | Maya Okafor, 2026-11-20 16:00 | new',
    ]);
    expect((await importRows(fixture.browser, { kind: 'lessons', text })).status).toBe(400);
    expect(await formatSessions(fixture)).toEqual([]);
  });

  test('reports overlaps with existing lessons and within the file, and requires confirmation', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    const other = await createStudent(fixture.browser, { name: 'Tom' });
    expect(other.id).toBeGreaterThan(0);
    const text = `student,subject,date,start,end
Tom,Maths,2026-11-17,16:30,17:30
Tom,Maths,2026-11-18,16:00,17:00
Maya Okafor,Maths,2026-11-18,16:30,17:30`;
    const { body } = await preview(fixture.browser, { kind: 'lessons', text });
    expect(body.overlapCount).toBe(2);
    expect(body.rows.map(({ notes }) => notes)).toEqual([
      ['Overlaps with Maya Okafor - Maths, 2026-11-17 16:00'],
      [],
      ['Overlaps with Tom - Maths, 2026-11-18 16:00'],
    ]);
    const rejected = await importRows(fixture.browser, { kind: 'lessons', text });
    expect([rejected.status, rejected.error.code]).toEqual([409, 'overlap']);
    expect(await formatSessions(fixture)).toHaveLength(1);
    const imported = await importRows(fixture.browser, {
      kind: 'lessons',
      text,
      acceptOverlaps: true,
    });
    expect(imported.body).toEqual({ added: 3, existing: 0 });
  });

  test("does not find another tutor's students", async () => {
    await createTutorWithStudentAndSubject(app);
    const { browser } = await createTutor(app);
    const text = 'student,subject,date,start,end\nMaya Okafor,Maths,2026-11-17,16:00,17:00';
    const { body } = await preview(browser, { kind: 'lessons', text });
    expect(body.rows[0]?.notes).toHaveLength(2);
  });
});
