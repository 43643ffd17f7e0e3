import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { dataExport } from '@lessonbook/contract/data-export';
import { invoices } from '@lessonbook/contract/invoices';
import { sessions } from '@lessonbook/contract/sessions';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../invariants.ts';
import { Browser } from '../../test/browser-client.ts';
import { createExport } from '../../test/create-and-download-export.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { findTextInTables, plantTextEverywhere } from '../../test/database-canaries.ts';
import {
  CARER,
  createPersonalDataFixture,
  insertSystemRows,
  SOLO,
  STUDENT,
} from '../../test/personal-data-fixture.ts';
import { sharedDatabase } from '../../test/test-app.ts';

/*
 * Runs real processes, so that their logs can be checked. Every field about a person contains a unique string, which must
 * not appear in any table, job or log line after the erasure.
 */
let lessonbook: Lessonbook;
let client: pg.Client;
let browser: Browser;
let tutorId: string;
let fixture: Awaited<ReturnType<typeof createPersonalDataFixture>>;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  lessonbook = await startLessonbook({
    database: sharedDatabase(),
    env: { LOG_LEVEL: 'debug', RATE_LIMIT_FACTOR: '1000' },
  });
  client = new pg.Client(lessonbook.databaseUrls.maintenanceUrl);
  await client.connect();
  const app = {
    browser: () => new Browser(lessonbook.url, lessonbook.url),
    mailbox: lessonbook.mailbox,
    admin: client,
  };
  const tutor = await createTutorWhoCanEmailFamilies(app, {
    name: 'Quilltut Tutor',
    username: 'quilltut',
    email: 'quilltut@example.com',
    timeZone: 'Etc/UTC',
  });
  browser = tutor.browser;
  const { rows } = await client.query<{ tutor_id: string }>('select tutor_id from login_directory');
  tutorId = rows[0]?.tutor_id ?? '';
  fixture = await createPersonalDataFixture(browser, today);
  await insertSystemRows(client, tutorId);
  await createExport(browser);
});
afterAll(async () => {
  await client.end();
  await lessonbook.stop();
});

test('the fixture fills every text column about a student or carer', async () => {
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and table_name in ('students', 'contacts') and data_type = 'text'`,
  );
  const empty: string[] = [];
  for (const { table, column } of columns) {
    const { rowCount } = await client.query(`select 1 from ${table} where ${column} is not null`);
    if (rowCount === 0) empty.push(`${table}.${column}`);
  }
  expect(columns.length).toBeGreaterThan(8);
  expect(empty).toEqual([]);
});

const erase = (kind: 'student' | 'carer', id: number, name: string) =>
  browser.call(privacy.erasePerson, { body: { kind, id, name } });

const readInvoiceFigures = async () => {
  const { rows } = await client.query(
    `select number, currency, due_on, (select json_agg(json_build_array(l.position, l.date, l.amount) order by l.position)
       from invoice_lines l where l.tutor_id = i.tutor_id and l.invoice_id = i.id) as lines
     from invoices i order by id`,
  );
  return rows as unknown[];
};
const readLedgerAmounts = async () =>
  (
    await client.query(
      `select 'charge' as what, id, amount, outstanding from charges
       union all select 'payment', id, amount, unallocated from payments order by 1, 2`,
    )
  ).rows as unknown[];

test('before the erasure, each person appears in many tables', async () => {
  expect(await findTextInTables(client, STUDENT)).toEqual(
    expect.arrayContaining([
      'public.students.name',
      'public.students.phone',
      'public.students.notes',
      'public.lessons.place',
      'public.sessions.title',
      'public.sessions.cancel_reason',
      'public.time_off.reason',
      'public.messages.text',
      'public.message_sessions.student_name',
      'public.invoice_lines.student_name',
      'public.payments.note',
      'public.notifications.text',
      'public.suppressions.address',
      'public.reminder_opt_outs.address',
      'public.whatsapp_consents.name',
      'public.idempotency_keys.reply',
    ]),
  );
  expect(await findTextInTables(client, CARER)).toEqual(
    expect.arrayContaining([
      'public.contacts.relationship',
      'public.families.address',
      'public.families.payment_reference',
      'public.invoices.parties_snapshot',
      'public.invoices.note',
      'public.invoice_lines.description',
      'public.charges.description',
      'public.messages.to_name',
      'public.messages.address',
    ]),
  );
});

test('an erasure is rejected if the confirmation name does not match', async () => {
  const response = await erase('student', fixture.student.id, 'Lena Bystander');
  expect([response.status, response.error.fields]).toEqual([
    400,
    { name: "The name doesn't match" },
  ]);
  expect((await erase('student', 4711, 'Quillstu Quillstu')).status).toBe(404);
});

test.each([
  ['a student', STUDENT, () => erase('student', fixture.student.id, ' quillstu  Quillstu')],
  ['a carer', CARER, () => erase('carer', fixture.carerId, 'Quillcar Quillcar')],
  [
    'a student who is their own payer',
    SOLO,
    () => erase('student', fixture.solo.id, 'Quillsolo Quillsolo'),
  ],
])('erasing %s removes all data except amounts, numbers and dates', async (_, texts, eraseOne) => {
  const before = { invoices: await readInvoiceFigures(), ledger: await readLedgerAmounts() };
  const response = await eraseOne();
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  expect(await findTextInTables(client, texts)).toEqual([]);
  expect({ invoices: await readInvoiceFigures(), ledger: await readLedgerAmounts() }).toEqual(
    before,
  );
  expect(await findViolations(client)).toEqual([]);
});

test('an erasure cancels future sessions, anonymises the invoice and deletes the existing export', async () => {
  const { status } = (await browser.call(sessions.session, { params: { id: fixture.upcoming } }))
    .body;
  expect(status).toBe('cancelled');
  const list = (await browser.call(invoices.listInvoices, { query: {} })).body;
  expect(list.map(({ familyName }) => familyName)).toEqual(['Erased person', 'Erased person']);
  const pdf = await browser.send('GET', `/api/invoices/${list[0]?.id}.pdf`);
  expect(pdf.status).toBe(200);
  expect((await browser.call(dataExport.latestExport)).body.export).toBeNull();
  const names = async (kind: 'student' | 'carer') =>
    (await browser.call(privacy.listPeople, { query: { kind } })).body.map(({ name }) => name);
  expect(await names('student')).toEqual(['Lena Bystander']);
  expect(await names('carer')).toEqual([]);
  expect((await erase('student', fixture.student.id, 'Erased person')).status).toBe(404);
});

test('the database rejects any other change to an issued invoice', async () => {
  const owner = new pg.Client(lessonbook.databaseUrls.ownerUrl);
  await owner.connect();
  await owner.query(`select set_config('app.tutor_id', $1, false)`, [tutorId]);
  for (const statement of [
    `update invoices set parties_snapshot = parties_snapshot || '{"to": {"name": "Somebody else", "address": null}}'`,
    `update invoices set note = 'something new'`,
    `update invoices set currency = 'EUR'`,
    `update invoice_lines set amount = amount + 1`,
    `update invoice_lines set description = 'Another thing'`,
    `delete from invoice_lines`,
  ])
    await expect(owner.query(statement), statement).rejects.toThrow(/cannot change/);
  await owner.end();
});

test('the search finds planted text in tables and jobs', async () => {
  await client.query(
    `insert into notifications (tutor_id, id, dedupe_key, kind, text, requires_action, created_at)
     values ($1, 9100, 'planted', 'trial_ending', 'about QuillSTU', false, now())`,
    [tutorId],
  );
  await client.query(`update invoices set void_reason = 'Quillcar' where id = 1`);
  const owner = new pg.Client(lessonbook.databaseUrls.ownerUrl);
  await owner.connect();
  await owner.query(
    `insert into jobs.job (name, data) values ('cleanup-exports', '{"planted":"quillsolo"}')`,
  );
  const found = await findTextInTables(client, ['quillstu', 'quillcar', 'quillsolo']);
  expect(found.filter((column) => !column.startsWith('jobs.'))).toEqual([
    'public.invoices.void_reason',
    'public.notifications.text',
  ]);
  expect(found.some((column) => /^jobs\..*\.data$/.test(column))).toBe(true);
  await owner.query(`delete from jobs.job where data ? 'planted'`);
  await owner.end();
});

test('[V14.2.4] account deletion removes all text about the tutor and the families', async () => {
  await createExport(browser);
  const requested = await browser.call(privacy.scheduleDeletion);
  expect(requested.status).toBe(200);
  const planted = await plantTextEverywhere(client, tutorId, 'quilltut');
  expect(planted.length).toBeGreaterThan(40);
  expect((await findTextInTables(client, ['quilltut'])).length).toBeGreaterThan(40);
  // The final email requires a valid address and time zone.
  await client.query(`update login_directory set email = 'quilltut@example.com'`);
  await client.query(`update tutors set time_zone = 'Etc/UTC'`);
  await client.query(`update tutors set deletion_scheduled_at = now() - interval '1 minute'`);
  await client.query(
    `update tenant_schedule set next_due_at = now() - interval '1 minute' where kind = 'account-deletion'`,
  );
  const owner = new pg.Client(lessonbook.databaseUrls.ownerUrl);
  await owner.connect();
  await owner.query(`insert into jobs.job (name, data) values ('delete-accounts', '{}')`);
  await owner.end();
  await lessonbook.mailbox.waitFor((mail) => /was deleted/.test(mail.subject ?? ''));
  await expect
    .poll(() => findTextInTables(client, ['quill', tutorId]), { interval: 200 })
    .toEqual([]);
});

test('[V16.2.5] the logs of all processes contain no personal data', () => {
  const lines = [...lessonbook.apis, ...lessonbook.workers].flatMap((process) =>
    process.output().split('\n'),
  );
  expect(lines.length).toBeGreaterThan(20);
  const personalData = /quill|4477009|family\.example/i;
  expect(lines.filter((line) => personalData.test(line))).toEqual([]);
});
