import { randomBytes } from 'node:crypto';
import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { students } from '@lessonbook/contract/students';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { findViolations } from '../../invariants.ts';
import { type DatabaseUrls, provisionDatabase } from '../../provision-database.ts';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId, PASSWORD } from '../../test/create-tutor.ts';
import { PASSWORD as DATABASE_PASSWORD } from '../../test/global-setup.ts';
import { createPersonalDataFixture, insertSystemRows } from '../../test/personal-data-fixture.ts';
import { tableChecksums } from '../../test/table-checksums.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { sendDueReminders } from '../messages/service/reminders/send-due-reminders.ts';
import { NOT_RESTORED, RESTORE_SPEC, TABLES_WITHOUT_TUTOR_DATA } from './queries/restore-spec.ts';
import { listColumns } from './queries/restore-tutor.ts';
import { findUnlistedTables, restoreTutor } from './service/restore-tutor.ts';

const SECRETS = { SECRET_KEY: randomBytes(32).toString('base64') };
const TODAY = '2026-11-16';

let copyUrls: DatabaseUrls;
let liveApp: TestApp;
let source: pg.Client;
let target: pg.Client;
let ada: { input: SignupInput; id: string };
let bob: { input: SignupInput; id: string };

const databaseNameOf = (urls: DatabaseUrls) => new URL(urls.appUrl).pathname.slice(1);
function asSuperuser(urls: DatabaseUrls): string {
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${databaseNameOf(urls)}`;
  return url.href;
}

/** Creates a tutor with rows in every table, including scheduled work that is due. */
async function createTutorWithData(app: TestApp) {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const id = await findTutorId(app, input);
  await createPersonalDataFixture(browser, TODAY);
  const client = new pg.Client(app.urls.maintenanceUrl);
  await client.connect();
  await insertSystemRows(client, id);
  await client.query(
    `insert into reminder_settings values ($1, now(), 1440, '{email}', 'carer', true, '{3}', '{}')`,
    [id],
  );
  await client.query(
    `insert into calendar_connections (tutor_id, encrypted_token, calendar_id, synced_from, connected_at, due_at)
     values ($1, 'encrypted', 'calendar', now(), now(), now())`,
    [id],
  );
  await client.query(
    `insert into tenant_schedule values ($1, 'calendar', now()), ($1, 'account-deletion', now()), ($1, 'reminders', now())
     on conflict do nothing`,
    [id],
  );
  await client.query(
    `insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, to_name, address, subject, text, created_at)
     values ($1, 9001, $2, 'test', 'payment_reminder', 'email', 'waiting', 'Ruth', 'late@family.example', 'Late', 'Late', now())`,
    [id, `late-${id}`],
  );
  await client.end();
  return { input, id, browser };
}

beforeAll(async () => {
  const first = await startTestApp(SECRETS);
  copyUrls = first.urls;
  ada = await createTutorWithData(first);
  bob = await createTutorWithData(first);
  await first.close();
  const liveUrls = await provisionDatabase(inject('adminUrl'), {
    database: `${databaseNameOf(copyUrls)}_live`,
    template: databaseNameOf(copyUrls),
    password: DATABASE_PASSWORD,
  });
  liveApp = await startTestApp(SECRETS, liveUrls);
  // The copied queue contains emails that the worker still sends.
  await waitUntilQueueIdle(liveApp.admin, 'send-%');
  source = new pg.Client(copyUrls.maintenanceUrl);
  target = new pg.Client(liveUrls.maintenanceUrl);
  await source.connect();
  await target.connect();
});
afterAll(async () => {
  await Promise.all([source.end(), target.end()]);
  await liveApp.close();
});
beforeEach(() => liveApp.restartClock());

const bobsRows = () => tableChecksums(asSuperuser(liveApp.urls), { tutorIs: bob.id });
const adasRows = () => tableChecksums(asSuperuser(liveApp.urls), { tutorIs: ada.id });
const deleteAda = () => target.query('delete from tutors where tutor_id = $1', [ada.id]);

/** Tables whose rows are restored unchanged. */
const UNCHANGED = Object.entries(RESTORE_SPEC)
  .filter(([name, { overrides, condition }]) => !overrides && !condition && name !== 'id_sequences')
  .map(([name]) => `public.${name}`)
  .filter((name) => name !== 'public.audit_log');

async function logIn(): Promise<Browser> {
  const browser = liveApp.browser();
  const body = { username: ada.input.username, password: PASSWORD };
  expect((await browser.call(accounts.login, { body })).status).toBe(200);
  return browser;
}

describe('the lists of tables', () => {
  test('name every table in the database and no others', async () => {
    const columns = await listColumns(target);
    expect(findUnlistedTables(columns)).toEqual([]);
    const tables = new Set(columns.map((column) => column.table));
    const listed = [RESTORE_SPEC, NOT_RESTORED, TABLES_WITHOUT_TUTOR_DATA].flatMap((list) =>
      Object.keys(list),
    );
    expect(listed.filter((name) => !tables.has(name))).toEqual([]);
    const owned = new Set(columns.filter(({ name }) => name === 'tutor_id').map((c) => c.table));
    expect(Object.keys(TABLES_WITHOUT_TUTOR_DATA).filter((name) => owned.has(name))).toEqual([]);
  });

  test('the restore fails if a table is not in any list', async () => {
    const owner = new pg.Client(liveApp.urls.ownerUrl);
    const other = new pg.Client(copyUrls.ownerUrl);
    await Promise.all([owner.connect(), other.connect()]);
    try {
      for (const db of [owner, other]) await db.query('create table pets (tutor_id uuid)');
      await expect(restoreTutor(source, target, ada.input.username)).rejects.toThrow(
        /missing from the restore spec: pets/,
      );
      await other.query('drop table pets');
      await expect(restoreTutor(source, target, ada.input.username)).rejects.toThrow(
        /different schema/,
      );
    } finally {
      await owner.query('drop table pets');
      await Promise.all([owner.end(), other.end()]);
    }
  });
});

describe('restoring a deleted tutor', () => {
  test('restores all rows and the password but no logins, and does not change other tutors', async () => {
    await deleteAda();
    const before = await bobsRows();
    const { rows } = await restoreTutor(source, target, ada.input.username);
    expect(rows['invoice_lines']).toBeGreaterThan(2);

    const expected = await tableChecksums(asSuperuser(copyUrls), { tutorIs: ada.id });
    const restored = await adasRows();
    const pick = (all: Record<string, string>) => UNCHANGED.map((name) => [name, all[name]]);
    expect(pick(restored)).toEqual(pick(expected));
    expect(await bobsRows()).toEqual(before);
    expect(await findViolations(target)).toEqual([]);
    expect(restored['public.logins']).toMatch(/^0 rows/);

    const browser = await logIn();
    const names = (await browser.call(students.listStudents)).body.map(({ name }) => name);
    expect(names).toContain('Quillstu Quillstu');
    // Ids continue from the last one used.
    expect((await createStudent(browser, { name: 'After' })).id).toBe(names.length + 1);
  });

  test('sends no messages and restores no jobs', async () => {
    const emails = () =>
      liveApp.mailbox
        .emails()
        .filter((mail) => mail.to.some((to) => to.endsWith('family.example')));
    const jobs = async () =>
      (
        await liveApp.admin.query(
          `select count(*)::int as n from jobs.job where data->>'tutorId' = $1`,
          [ada.id],
        )
      ).rows;
    await deleteAda();
    const before = { emails: emails().length, jobs: await jobs() };
    await restoreTutor(source, target, ada.input.username);
    await sendDueReminders(liveApp.context);
    expect({ emails: emails().length, jobs: await jobs() }).toEqual(before);

    const { rows: messages } = await target.query(
      `select state, failure_reason from messages where tutor_id = $1 and id = 9001`,
      [ada.id],
    );
    expect(messages).toEqual([
      { state: 'skipped', failure_reason: expect.stringContaining('from a backup') as string },
    ]);
    const { rows: tutor } = await target.query(
      `select (select count(*)::int from messages m where m.tutor_id = t.tutor_id and state = 'waiting') as waiting,
         (select enabled_at from reminder_settings r where r.tutor_id = t.tutor_id) as reminders,
         (select failure_reason || coalesce(encrypted_token, '') from calendar_connections c where c.tutor_id = t.tutor_id) as calendar,
         (select count(*)::int from tenant_schedule a where a.tutor_id = t.tutor_id and kind in ('account-deletion', 'calendar', 'reminders')) as due,
         deletion_scheduled_at as deletion
       from tutors t where tutor_id = $1`,
      [ada.id],
    );
    expect(tutor).toEqual([
      { waiting: 0, reminders: null, calendar: 'access_lost', due: 0, deletion: null },
    ]);
  });

  test('fails if another tutor has the username', async () => {
    await deleteAda();
    await target.query(
      'update login_directory set username = $1, username_key = $1 where tutor_id = $2',
      [ada.input.username, bob.id],
    );
    await expect(restoreTutor(source, target, ada.input.username)).rejects.toThrow(/now used by/);
    await target.query(
      'update login_directory set username = $1, username_key = $1 where tutor_id = $2',
      [bob.input.username, bob.id],
    );
    expect((await adasRows())['public.students']).toMatch(/^0 rows/);
    await restoreTutor(source, target, ada.input.username);
  });
});

describe('restoring a tutor who exists', () => {
  test('fails without --replace, and a dry run changes nothing', async () => {
    const before = await adasRows();
    await expect(restoreTutor(source, target, ada.input.username)).rejects.toThrow(/--replace/);
    await restoreTutor(source, target, ada.input.email, { replace: true, dryRun: true });
    expect(await adasRows()).toEqual(before);
  });

  test('with --replace restores the copy, keeps opt-outs, replaced links, the audit log and invoice numbers, and can be repeated', async () => {
    const browser = await logIn();
    await createStudent(browser, { name: 'Added since the copy' });
    await target.query(
      `update business_settings set next_invoice_number = 50 where tutor_id = $1`,
      [ada.id],
    );
    await target.query(
      `insert into reminder_opt_outs values ($1, 'since@family.example', 'lesson_reminder', now())`,
      [ada.id],
    );
    await target.query(`update students set erased_at = now() where tutor_id = $1 and id = 3`, [
      ada.id,
    ]);
    await target.query(`update shared_links set version = 2 where tutor_id = $1`, [ada.id]);
    const before = await bobsRows();
    const first = await restoreTutor(source, target, ada.input.username, { replace: true });
    expect(first.erasedSince).toEqual(['student 3']);
    expect((await browser.call(accounts.me)).status).toBe(401);
    const once = await adasRows();
    await restoreTutor(source, target, ada.input.username, { replace: true });
    const twice = await adasRows();
    expect(UNCHANGED.map((name) => [name, twice[name]])).toEqual(
      UNCHANGED.map((name) => [name, once[name]]),
    );
    expect(await bobsRows()).toEqual(before);
    expect(await findViolations(target)).toEqual([]);

    const again = await logIn();
    const names = (await again.call(students.listStudents)).body.map(({ name }) => name);
    expect(names).not.toContain('Added since the copy');
    const { rows } = await target.query(
      `select (select next_invoice_number from business_settings where tutor_id = $1) as number,
         (select count(*)::int from reminder_opt_outs where tutor_id = $1 and address like 'since%') as stopped,
         (select min(version) from shared_links where tutor_id = $1) as version,
         (select count(*)::int from audit_log where tutor_id = $1 and action = 'data_restored') as entries`,
      [ada.id],
    );
    expect(rows[0]).toMatchObject({ number: 50, stopped: 1, version: 2 });
    expect(rows[0].entries).toBeGreaterThanOrEqual(2);
  });

  test('fails for a role that cannot see every row', async () => {
    const app = new pg.Client(liveApp.urls.appUrl);
    await app.connect();
    await expect(restoreTutor(source, app, ada.input.username)).rejects.toThrow(/every row/);
    await app.end();
  });
});
