import { dataExport } from '@lessonbook/contract/data-export';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createExport, downloadExport } from '../../test/create-and-download-export.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId, reauthenticate } from '../../test/create-tutor.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { EXCLUDED_TABLES, EXPORT_TABLES } from './rules/export-tables.ts';
import { deleteExpiredExports } from './service/exports.ts';
import { generateExport } from './service/generate-export.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

describe('the list of exported tables', () => {
  /** Database columns that are not in any list, and listed columns that are not in the database. */
  async function findDifferences(): Promise<string[]> {
    const { rows } = await app.admin.query<{ table: string; column: string }>(
      `select c.relname as table, a.attname as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    );
    const existing = new Set(
      rows
        .filter(({ table, column }) => column !== 'tutor_id' && !(table in EXCLUDED_TABLES))
        .map(({ table, column }) => `${table}.${column}`),
    );
    const listed = EXPORT_TABLES.flatMap(({ table, columns, excluded }) =>
      [...columns, ...Object.keys(excluded ?? {})].map((column) => `${table}.${column}`),
    );
    return [
      ...[...existing]
        .filter((name) => !listed.includes(name))
        .map((name) => `not listed: ${name}`),
      ...listed.filter((name) => !existing.has(name)).map((name) => `does not exist: ${name}`),
    ];
  }

  test('contains every column in the database, or the reason for its exclusion', async () => {
    expect(await findDifferences()).toEqual([]);
  });

  test('differs from the database if a column or a table is not listed', async () => {
    const owner = new pg.Client(app.urls.ownerUrl);
    await owner.connect();
    await owner.query(
      'alter table students add column birthday date; create table pets (name text)',
    );
    try {
      expect(await findDifferences()).toEqual([
        'not listed: students.birthday',
        'not listed: pets.name',
      ]);
    } finally {
      await owner.query('alter table students drop column birthday; drop table pets');
      await owner.end();
    }
  });

  test('contains no secrets', () => {
    const secret = /hash|token|secret|encrypted|password|(?<!^dedupe_)key$/;
    const columns = EXPORT_TABLES.flatMap((table) => table.columns);
    expect(columns.filter((name) => secret.test(name))).toEqual([]);
  });
});

describe('the export file', () => {
  test('[V1.3.3, T13] contains all tables as JSON and as CSV, with formulas escaped', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const { browser } = fixture;
    await createStudent(browser, {
      name: '=HYPERLINK("http://evil")',
      notes: 'Line one\nline "two"',
    });
    await createCompletedLesson(fixture, children[0] as number, '2026-11-10');
    await createPayment(browser, familyId, 5000, { note: 'Thank you' });
    const files = await downloadExport(app, browser, (await createExport(browser)).id);
    for (const { table } of EXPORT_TABLES) {
      expect(Object.keys(files)).toContain(`json/${table}.json`);
      expect(Object.keys(files)).toContain(`csv/${table}.csv`);
    }
    const rows = (table: string) =>
      JSON.parse(files[`json/${table}.json`] ?? '') as Record<string, unknown>[];
    expect(rows('students').map(({ name }) => name)).toEqual([
      'Maya Okafor',
      'Lena Hale',
      'Noah Hale',
      'Ida Hale',
      '=HYPERLINK("http://evil")',
    ]);
    expect(rows('payments')).toMatchObject([{ amount: 5000, note: 'Thank you', currency: 'GBP' }]);
    expect(rows('sessions')[0]).toMatchObject({ date: '2026-11-10', start_time: '16:00' });
    const csv = files['csv/students.csv'] ?? '';
    expect(csv.startsWith('\uFEFFid,')).toBe(true);
    expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(csv).toContain('"Line one\nline ""two"""');
    expect(files['README.txt']).toContain('as of 2026-11-16');
    const log = rows('audit_log').map(({ action }) => action);
    expect(log).toEqual(['login', 'export_requested']);
  });

  test('[V15.2.2] a large table is stored in several chunks and downloaded in full', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const rowCount = 1203;
    await app.admin.query(
      `insert into notifications (tutor_id, id, dedupe_key, kind, text, requires_action, created_at)
       select $1, n, 'many ' || n, 'trial_ending',
         (select string_agg(md5(random()::text || n || m), '') from generate_series(1, 60) m), false, now()
       from generate_series(1, ${rowCount}) n`,
      [tutorId],
    );
    const { id, bytes } = await createExport(browser);
    const files = await downloadExport(app, browser, id);
    const rows = JSON.parse(files['json/notifications.json'] ?? '') as { id: number }[];
    expect(rows.map((row) => row.id)).toEqual(
      Array.from({ length: rowCount }, (_, index) => index + 1),
    );
    expect(files['csv/notifications.csv']?.trim().split('\r\n')).toHaveLength(rowCount + 1);
    const chunks = await app.admin.query<{ length: number }>(
      'select length(bytes) from export_chunks where tutor_id = $1 order by position',
      [tutorId],
    );
    expect(chunks.rows.length).toBeGreaterThan(2);
    expect(chunks.rows.reduce((sum, { length }) => sum + length, 0)).toBe(bytes);
  });

  test('[T07] is only available to its tutor and is deleted after 24 hours', async () => {
    const { browser, input } = await createTutor(app);
    const { id } = await createExport(browser);
    const other = await createTutor(app);
    expect((await other.browser.send('GET', `/api/exports/${id}.zip`)).status).toBe(404);
    expect((await app.browser().send('GET', `/api/exports/${id}.zip`)).status).toBe(401);
    app.clock.advance({ hours: 23, minutes: 59 });
    await reauthenticate(browser);
    expect((await browser.send('GET', `/api/exports/${id}.zip`)).status).toBe(200);
    app.clock.advance({ minutes: 2 });
    const late = await browser.send('GET', `/api/exports/${id}.zip`);
    expect([late.status, late.error.message]).toEqual([
      410,
      'This file has expired. Please export again.',
    ]);
    expect((await browser.call(dataExport.latestExport)).body).toEqual({ export: null });
    await deleteExpiredExports(app.context);
    const tutorId = await findTutorId(app, input);
    const remaining = await app.admin.query('select 1 from export_chunks where tutor_id = $1', [
      tutorId,
    ]);
    expect(remaining.rows).toEqual([]);
  });

  test('concurrent requests return the same export; a new export replaces the previous one', async () => {
    const { browser } = await createTutor(app);
    const [a, b] = await Promise.all([
      browser.call(dataExport.requestExport),
      browser.call(dataExport.requestExport),
    ]);
    expect(a.body.id).toBe(b.body.id);
    const first = await createExport(browser);
    const second = await createExport(browser);
    expect(second.id).toBeGreaterThan(first.id);
    expect((await browser.send('GET', `/api/exports/${first.id}.zip`)).status).toBe(404);
  });

  test('if several workers run the same export, one writes it and the others stop', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const { id } = await createExport(browser);
    await app.admin.query("update exports set state = 'waiting' where tutor_id = $1", [tutorId]);
    await Promise.all([1, 2, 3].map(() => generateExport(app.context, { tutorId, exportId: id })));
    const files = await downloadExport(app, browser, id);
    expect(JSON.parse(files['json/tutors.json'] ?? '')).toMatchObject([{ name: input.name }]);
    expect((await browser.call(dataExport.latestExport)).body.export?.state).toBe('ready');
  });
});
