import { type ImportInput, type ImportRow, imports } from '@lessonbook/contract/import';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
} from '../../test/lesson-fixture.ts';
import { markStudentsAsLeft } from '../../test/mark-students-as-left.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
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
const summarize = (rows: readonly ImportRow[]) =>
  rows.map(({ row, what, state, makes, notes }) =>
    [row, what, state, ...(makes ? [makes] : []), ...notes].join(' | '),
  );
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
      '2 | Maya Okafor | new | New student',
      '3 | Lena Hale | new | New student, carer Ruth Hale',
      '4 | Tom Bad | invalid | Email: Invalid email',
      '5 | Noah Hale | new | New student, carer ruth hale',
      '6 | Ada Known | existing | Already in your account',
      '7 | lena  hale | existing | Same name as row 3',
      '8 | (no name) | invalid | Name is required',
      '9 | Una | invalid | Carer name is required',
    ]);
    expect(body.columns.filter(({ field }) => field === null)).toEqual([
      { heading: 'Shoe size', field: null },
    ]);
    expect(await readNames(browser)).toEqual(['Ada Known']);
  });

  test('F114 imports the valid rows, with one carer for siblings, and leaves out the others', async () => {
    const { browser } = await createTutor(app);
    const imported = await importRows(browser, { kind: 'students', text: file });
    expect([imported.status, imported.body]).toEqual([
      201,
      { added: 4, updated: 0, existing: 1, skipped: 3 },
    ]);
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

  test('F114 adds missing details to existing students without replacing anything', async () => {
    const { browser } = await createTutor(app);
    await createStudent(browser, { name: 'Maya Okafor', email: 'maya@example.com' });
    await createStudent(browser, { name: 'Lena Hale', carerName: 'Ruth Hale' });
    const text = `First Name,Last Name,Email,School,Parent Name,Parent Phone
Maya,Okafor,other@example.com,Mill Lane,Ada Okafor,07700 900123
Lena,Hale,,,Otto Hale,07700 900456
Noah,Lind,,,Eva Lind,12`;
    const { body } = await preview(browser, { kind: 'students', text });
    expect(summarize(body.rows)).toEqual([
      '2 | Maya Okafor | updated | Adds school, carer, carer phone | Already in your account',
      '3 | Lena Hale | existing | Already in your account | Carer unchanged: Ruth Hale',
      '4 | Noah Lind | new | New student, carer Eva Lind | Left out carer phone “12”: This number is too short',
    ]);
    const imported = await importRows(browser, { kind: 'students', text });
    expect(imported.body).toEqual({ added: 1, updated: 1, existing: 1, skipped: 0 });
    const list = (await browser.call(students.listStudents)).body;
    expect(list.find(({ name }) => name === 'Maya Okafor')).toMatchObject({
      email: 'maya@example.com',
      school: 'Mill Lane',
      carerName: 'Ada Okafor',
      carerPhone: '+447700900123',
    });
    expect(list.find(({ name }) => name === 'Noah Lind')).toMatchObject({ carerPhone: null });
  });

  test('F114 the field for each column can be chosen', async () => {
    const { browser } = await createTutor(app);
    const body = { kind: 'students', text: 'Who,What\nMaya,Maths' } as const;
    expect((await preview(browser, body)).body).toMatchObject({
      rows: [],
      columns: [
        { heading: 'Who', field: null },
        { heading: 'What', field: null },
      ],
      missingFields: ['Name'],
    });
    const chosen = { ...body, columns: ['name', 'subject'] };
    expect((await importRows(browser, chosen)).body).toMatchObject({ added: 1 });
    const [maya] = (await browser.call(students.listStudents)).body;
    expect(maya).toMatchObject({ name: 'Maya', subject: 'Maths' });
  });

  test('F145 imports the school and the school year', async () => {
    const { browser } = await createTutor(app);
    const text = 'Name,School,Year group\nMaya,Mill Lane School,Year 9\nNoah,,';
    expect((await importRows(browser, { kind: 'students', text })).status).toBe(201);
    const list = (await browser.call(students.listStudents)).body;
    expect(list.map(({ school, schoolYear }) => [school, schoolYear])).toEqual([
      ['Mill Lane School', 'Year 9'],
      [null, null],
    ]);
    const long = `Name,School year\nMaya B,${'x'.repeat(41)}`;
    const { body } = await preview(browser, { kind: 'students', text: long });
    expect(summarize(body.rows)).toEqual([
      '2 | Maya B | invalid | School year: Please use at most 40 characters',
    ]);
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
      Array.from({ length: 3 }, () => ({ added: 2, updated: 0, existing: 0, skipped: 0 })),
    );
    expect((await importRows(browser, body, 'import-xyz')).body).toEqual({
      added: 0,
      updated: 0,
      existing: 2,
      skipped: 0,
    });
    expect(await readNames(browser)).toEqual(['Maya', 'Lena']);
  });

  test('[V5.2.1, V5.2.2] rejects malformed, empty and oversized files with a message', async () => {
    const { browser } = await createTutor(app);
    const message = async (text: string) =>
      (await preview(browser, { kind: 'students', text })).error.message;
    const unnamed = { kind: 'students', text: 'Phone,Email\n1,2' } as const;
    expect((await preview(browser, unnamed)).body).toMatchObject({
      rows: [],
      missingFields: ['Name'],
    });
    expect((await importRows(browser, unnamed)).error.message).toBe(
      'The file has no column for “Name”.',
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
    const rejected = await preview(browser, {
      kind: 'students',
      text: `name${',a'.repeat(99_000)}\nMaya`,
    });
    const { user, system } = process.threadCpuUsage(before);
    expect([rejected.status, rejected.error.message]).toEqual([
      400,
      "That is more than 100 columns. Please remove the ones you don't need.",
    ]);
    // Comparing each heading with each name took 6.5 seconds.
    expect((user + system) / 1e6).toBeLessThan(1.5);
    const accepted = await preview(browser, {
      kind: 'students',
      text: `name${',a'.repeat(99)}\nMaya`,
    });
    expect(summarize(accepted.body.rows)).toEqual(['2 | Maya | new | New student']);
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
    expect(await fetchSessionsAsText(fixture)).toEqual([]);
    expect((await importRows(fixture.browser, { kind: 'lessons', text })).body).toEqual({
      added: 3,
      updated: 0,
      existing: 0,
      skipped: 0,
    });
    expect(await fetchSessionsAsText(fixture)).toEqual([
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
      updated: 0,
      existing: 3,
      skipped: 0,
    });
  });

  test('F02 a preview that takes too long is rejected', async () => {
    const { browser, input } = await createTutor(app);
    await createStudent(browser, { name: 'Maya Okafor' });
    await createSubject(browser);
    const text = `student,subject,date,start,end,until
Maya Okafor,Maths,2026-11-17,16:00,17:00,2026-12-01`;
    const file = parseImportFile({ kind: 'lessons', text }, 'Europe/London');
    const tutorId = await findTutorId(app, input);
    const slowPreview = app.context.db.tutorSnapshot(tutorId, async (tx) => {
      const schedule = await openScheduleTx(app.context, tx, tutorId);
      return previewLessons(schedule, await planLessons(schedule, file, 'unpaid'), -1);
    });
    await expect(slowPreview).rejects.toMatchObject({
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

  test('F02 the largest allowed file of weekly lessons is previewed, including the overlaps within it', async () => {
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
    const overlapping = body.rows.filter(({ state }) => state === 'overlapping');
    expect(overlapping).toHaveLength(240);
    expect(body.rows.filter(({ state }) => state === 'new')).toHaveLength(60);
  });

  test('F114 reports errors for each row and imports the others', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const text = `student,subject,date,start,end,fee,until
Nobody,Maths,2026-11-17,16:00,17:00,35,
Maya Okafor,Alchemy,17th,four,17:00,,soon
Maya Okafor,Maths,2026-11-17,17:00,16:00,35,
Maya Okafor,Maths,2026-11-17,16:00,17:00,lots,
Maya Okafor,Maths,2026-11-17,16:00,17:00,35,2026-11-01
Maya Okafor,Maths,1999-09-01,16:00,17:00,35,2026-10-01
Maya Okafor,Maths,2026-11-20,16:00,17:00,35,`;
    const { body } = await preview(fixture.browser, { kind: 'lessons', text });
    expect(summarize(body.rows)).toEqual([
      '2 | Nobody, 2026-11-17 16:00 | invalid | There is no student called “Nobody”. Import or add them first.',
      '3 | Maya Okafor, 17th four | invalid | There is no subject called “Alchemy”. Add it first. | The date must look like 17/11/2026 or 17 Nov 2026 | The start must look like 16:00 or 4pm | The last date must look like 18/12/2026',
      '4 | Maya Okafor, 2026-11-17 17:00 | invalid | End time must be after start time',
      '5 | Maya Okafor, 2026-11-17 16:00 | invalid | The fee must be a number or “free”',
      '6 | Maya Okafor, 2026-11-17 16:00 | invalid | End date must not be before the date',
      '7 | Maya Okafor, 1999-09-01 16:00 | invalid | The date is more than five years ago',
      '8 | Maya Okafor, 2026-11-20 16:00 | new | 1 lesson',
    ]);
    expect((await importRows(fixture.browser, { kind: 'lessons', text })).body).toEqual({
      added: 1,
      updated: 0,
      existing: 0,
      skipped: 6,
    });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-20 16:00 scheduled']);
  });

  test('F101 past lessons of a series are completed, and the preview says so', async () => {
    const text = `student,subject,date,start,end,repeats,until
Maya Okafor,Maths,03/11/2026,4pm,5pm,weekly,24/11/2026`;
    const outcomes = {
      unpaid: ['4 lessons: 2 completed and not yet paid, £70.00 due', 3500],
      taught: ['4 lessons: 2 completed and paid', null],
      skip: ['2 lessons', undefined],
    } as const;
    for (const [pastSessions, [makes, outstanding]] of Object.entries(outcomes)) {
      const { browser } = await createTutorWithStudentAndSubject(app);
      const body = { kind: 'lessons', text, pastSessions: pastSessions as 'unpaid' } as const;
      const previewed = (await preview(browser, body)).body;
      expect(previewed.rows.map((row) => row.makes)).toEqual([makes]);
      expect(previewed.pastCount).toBe(2);
      expect((await importRows(browser, body)).status).toBe(201);
      const rows = await browser.call(sessions.listSessions, {
        query: { from: '2026-11-01', to: '2026-11-30' },
      });
      const past = rows.body.filter(({ date }) => date < '2026-11-14');
      const expected = outstanding === undefined ? [] : ['2026-11-03', '2026-11-10'];
      expect(past.map((row) => [row.date, row.status, row.outstanding])).toEqual(
        expected.map((date) => [date, 'completed', outstanding]),
      );
    }
  });

  test('F114 reads durations, fortnightly lessons, places and headings used by other products', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const text = `Student Full Name,Service,Start Date,Start Time,Lesson Length,Price,Frequency,Repeat until,Location
Maya Okafor,Maths,Tue 17 Nov 2026,4pm,1.5 hours,£40.00,Fortnightly,15/12/2026,Online`;
    const { body } = await preview(fixture.browser, { kind: 'lessons', text });
    expect(summarize(body.rows)).toEqual([
      '2 | Maya Okafor, Tue 17 Nov 2026 4pm | new | 3 lessons',
    ]);
    await importRows(fixture.browser, { kind: 'lessons', text });
    const rows = await fixture.browser.call(sessions.listSessions, {
      query: { from: '2026-11-17', to: '2026-12-31' },
    });
    expect(rows.body.map(({ date, endTime, place }) => [date, endTime, place])).toEqual(
      ['2026-11-17', '2026-12-01', '2026-12-15'].map((date) => [date, '17:30', 'Online']),
    );
  });

  test('F114 imports the lessons from a calendar file', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const event = (lines: string) => `BEGIN:VEVENT\nUID:${lines.length}\n${lines}\nEND:VEVENT`;
    const text = [
      'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN',
      event(
        'SUMMARY:Maths with Maya\nDTSTART:20261117T160000Z\nDTEND:20261117T170000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nLOCATION:Library',
      ),
      event('SUMMARY:Dentist\nDTSTART:20261118T090000Z\nDTEND:20261118T093000Z'),
      event('SUMMARY:Maya\nDTSTART;VALUE=DATE:20261119\nDTEND;VALUE=DATE:20261120'),
      event('SUMMARY:Maths with Maya\nRRULE:FREQ=SOMETIMES'),
      'END:VCALENDAR',
    ].join('\n');
    const { body } = await preview(fixture.browser, { kind: 'lessons', text });
    expect(summarize(body.rows)).toEqual([
      '1 | Maya Okafor, 2026-11-17 16:00 | new | 3 lessons',
      "2 | Dentist, 2026-11-18 09:00 | invalid | We couldn't find one of your students in “Dentist”",
      "3 | Maya Okafor, 2026-11-19 | invalid | We couldn't find one of your subjects in “Maya” | The start time is missing. All-day events can't be lessons.",
      "4 | (no name) | invalid | We couldn't find one of your students in “” | The date must look like 17/11/2026 or 17 Nov 2026 | The start must look like 16:00 or 4pm",
    ]);
    const imported = await importRows(fixture.browser, { kind: 'lessons', text });
    expect(imported.body).toEqual({ added: 1, updated: 0, existing: 0, skipped: 3 });
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 scheduled',
      '2026-12-01 16:00 scheduled',
    ]);
    const asStudents = await preview(fixture.browser, { kind: 'students', text });
    expect(asStudents.error.message).toBe('This is a calendar. Choose “Lessons” to import it.');
  });

  test('accepts lessons for a student whose last day is in the future', async () => {
    const { browser, studentId } = await createTutorWithStudentAndSubject(app);
    await markStudentsAsLeft(browser, { studentIds: [studentId], lastDate: '2026-11-30' });
    const text = 'student,subject,date,start,end\nMaya Okafor,Maths,2026-11-20,16:00,17:00';
    const { rows } = (await preview(browser, { kind: 'lessons', text })).body;
    expect(summarize(rows)).toEqual(['2 | Maya Okafor, 2026-11-20 16:00 | new | 1 lesson']);
  });

  test('F145 rejects lessons for a student who has left', async () => {
    const { browser, studentId } = await createTutorWithStudentAndSubject(app);
    await markStudentsAsLeft(browser, { studentIds: [studentId], lastDate: '2026-11-15' });
    const text = 'student,subject,date,start,end\nMaya Okafor,Maths,2026-11-20,16:00,17:00';
    const { rows } = (await preview(browser, { kind: 'lessons', text })).body;
    expect(summarize(rows)).toEqual([
      '2 | Maya Okafor, 2026-11-20 16:00 | invalid | Maya Okafor has left. Please change their status first.',
    ]);
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
    expect(body.rows.map(({ state, notes }) => [state, ...notes])).toEqual([
      ['overlapping', 'Overlaps with Maya Okafor - Maths, 17/11/2026 16:00'],
      ['new'],
      ['overlapping', 'Overlaps with Tom - Maths, 18/11/2026 16:00'],
    ]);
    const imported = await importRows(fixture.browser, { kind: 'lessons', text });
    expect(imported.body).toEqual({ added: 1, updated: 0, existing: 0, skipped: 2 });
    const accepted = { kind: 'lessons', text, acceptOverlaps: true } as const;
    expect((await importRows(fixture.browser, accepted)).body).toEqual({
      added: 2,
      updated: 0,
      existing: 1,
      skipped: 0,
    });
    expect(await fetchSessionsAsText(fixture)).toHaveLength(4);
  });

  test("does not find another tutor's students", async () => {
    await createTutorWithStudentAndSubject(app);
    const { browser } = await createTutor(app);
    const text = 'student,subject,date,start,end\nMaya Okafor,Maths,2026-11-17,16:00,17:00';
    const { body } = await preview(browser, { kind: 'lessons', text });
    expect(body.rows[0]?.notes).toHaveLength(2);
  });
});
