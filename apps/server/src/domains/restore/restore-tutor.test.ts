import { randomBytes } from 'node:crypto';
import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { students } from '@lessonbook/contract/students';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { findViolations } from '../../invariants.ts';
import { type DatabaseUrls, provisionDatabase } from '../../provision-database.ts';
import type { Browser } from '../../test/browser.ts';
import { checksums } from '../../test/checksums.ts';
import { newStudent } from '../../test/factories.ts';
import { createFullFixture, insertSystemRows } from '../../test/full-fixture.ts';
import { PASSWORD as DATABASE_PASSWORD } from '../../test/global-setup.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createVerifiedTutor, findTutorId, PASSWORD } from '../../test/tutor.ts';
import { sendDueReminders } from '../messages/service/reminders/lesson-reminders.ts';
import { NOT_RESTORED, RESTORE_SPEC, TABLES_WITHOUT_TUTOR } from './queries/restore-spec.ts';
import { columnsOf } from './queries/restore-tutor.ts';
import { restoreTutor, unknownTables } from './service/restore-tutor.ts';

const SECRETS = { SECRET_KEY: randomBytes(32).toString('base64') };
const TODAY = '2026-11-16';

let copyUrls: DatabaseUrls;
let living: TestApp;
let copy: pg.Client;
let admin: pg.Client;
let ada: { input: SignupInput; id: string };
let bob: { input: SignupInput; id: string };

const nameOf = (urls: DatabaseUrls) => new URL(urls.appUrl).pathname.slice(1);
function asSuperuser(urls: DatabaseUrls): string {
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${nameOf(urls)}`;
  return url.href;
}

/** A tutor with something in every corner, and things about to happen. */
async function createTutorWithData(app: TestApp) {
  const { browser, input } = await createVerifiedTutor(app);
  const id = await findTutorId(app, input);
  await createFullFixture(browser, TODAY);
  const client = new pg.Client(app.urls.maintenanceUrl);
  await client.connect();
  await insertSystemRows(client, id);
  await client.query(
    `insert into reminder_settings values ($1, now(), 1440, '{email}', 'carer', true, '{3}', '{}')`,
    [id],
  );
  await client.query(
    `insert into calendar_connections (tutor_id, encrypted_token, calendar_id, synced_from, connected_at, due_at)
     values ($1, 'sealed', 'calendar', now(), now(), now())`,
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
  const livingUrls = await provisionDatabase(inject('adminUrl'), {
    database: `${nameOf(copyUrls)}_living`,
    template: nameOf(copyUrls),
    password: DATABASE_PASSWORD,
  });
  living = await startTestApp(SECRETS, livingUrls);
  copy = new pg.Client(copyUrls.maintenanceUrl);
  admin = new pg.Client(livingUrls.maintenanceUrl);
  await copy.connect();
  await admin.connect();
});
afterAll(async () => {
  await Promise.all([copy.end(), admin.end()]);
  await living.close();
});
beforeEach(() => living.restartClock());

const bobsRows = () => checksums(asSuperuser(living.urls), { tutorIs: bob.id });
const adasRows = () => checksums(asSuperuser(living.urls), { tutorIs: ada.id });
const deleteAda = () => admin.query('delete from tutors where tutor_id = $1', [ada.id]);

/** Tables whose rows must be the very same as in the copy. */
const UNCHANGED = Object.entries(RESTORE_SPEC)
  .filter(([name, { change, rows }]) => !change && !rows && name !== 'id_sequences')
  .map(([name]) => `public.${name}`)
  .filter((name) => name !== 'public.audit_log');

async function logIn(): Promise<Browser> {
  const browser = living.browser();
  const body = { username: ada.input.username, password: PASSWORD };
  expect((await browser.call(accounts.login, { body })).status).toBe(200);
  return browser;
}

describe('the lists of tables', () => {
  test('name every table of the database, and none that is not there', async () => {
    const columns = await columnsOf(admin);
    expect(unknownTables(columns)).toEqual([]);
    const tables = new Set(columns.map((each) => each.table));
    const listed = [RESTORE_SPEC, NOT_RESTORED, TABLES_WITHOUT_TUTOR].flatMap((list) =>
      Object.keys(list),
    );
    expect(listed.filter((name) => !tables.has(name))).toEqual([]);
    const owned = new Set(columns.filter(({ name }) => name === 'tutor_id').map((c) => c.table));
    expect(Object.keys(TABLES_WITHOUT_TUTOR).filter((name) => owned.has(name))).toEqual([]);
  });

  test('a table that nobody thought of stops the restore', async () => {
    const owner = new pg.Client(living.urls.ownerUrl);
    const other = new pg.Client(copyUrls.ownerUrl);
    await Promise.all([owner.connect(), other.connect()]);
    try {
      for (const db of [owner, other]) await db.query('create table pets (tutor_id uuid)');
      await expect(restoreTutor(copy, admin, ada.input.username)).rejects.toThrow(/about pets/);
      await other.query('drop table pets');
      await expect(restoreTutor(copy, admin, ada.input.username)).rejects.toThrow(/another schema/);
    } finally {
      await owner.query('drop table pets');
      await Promise.all([owner.end(), other.end()]);
    }
  });
});

describe('a tutor who was deleted', () => {
  test('is back row by row; nobody else is touched; the password opens, old logins do not', async () => {
    await deleteAda();
    const before = await bobsRows();
    const { rows } = await restoreTutor(copy, admin, ada.input.username);
    expect(rows['invoice_lines']).toBeGreaterThan(2);

    const there = await checksums(asSuperuser(copyUrls), { tutorIs: ada.id });
    const here = await adasRows();
    const pick = (all: Record<string, string>) => UNCHANGED.map((name) => [name, all[name]]);
    expect(pick(here)).toEqual(pick(there));
    expect(await bobsRows()).toEqual(before);
    expect(await findViolations(admin)).toEqual([]);
    expect(here['public.logins']).toMatch(/^0 rows/);

    const browser = await logIn();
    const names = (await browser.call(students.listStudents)).body.map(({ name }) => name);
    expect(names).toContain('Quillstu Quillstu');
    // Ids go on where they were.
    expect((await newStudent(browser, { name: 'After' })).id).toBe(names.length + 1);
  });

  test('nothing leaves the house because of it', async () => {
    const mails = () =>
      living.mailbox.mails().filter((mail) => mail.to.some((to) => to.endsWith('family.example')));
    const jobs = async () =>
      (
        await living.admin.query(
          `select count(*)::int as n from jobs.job where data->>'tutorId' = $1`,
          [ada.id],
        )
      ).rows;
    await deleteAda();
    const before = { mails: mails().length, jobs: await jobs() };
    await restoreTutor(copy, admin, ada.input.username);
    await sendDueReminders(living.context);
    expect({ mails: mails().length, jobs: await jobs() }).toEqual(before);

    const { rows: messages } = await admin.query(
      `select state, failure_reason from messages where tutor_id = $1 and id = 9001`,
      [ada.id],
    );
    expect(messages).toEqual([
      { state: 'skipped', failure_reason: expect.stringContaining('from a backup') as string },
    ]);
    const { rows: tutor } = await admin.query(
      `select (select count(*)::int from messages m where m.tutor_id = t.tutor_id and state = 'waiting') as waiting,
         (select enabled_at from reminder_settings r where r.tutor_id = t.tutor_id) as reminders,
         (select failure_reason || coalesce(encrypted_token, '') from calendar_connections c where c.tutor_id = t.tutor_id) as calendar,
         (select count(*)::int from tenant_schedule a where a.tutor_id = t.tutor_id and kind in ('account-deletion', 'calendar', 'reminders')) as due,
         deletion_scheduled_at as leaving
       from tutors t where tutor_id = $1`,
      [ada.id],
    );
    expect(tutor).toEqual([
      { waiting: 0, reminders: null, calendar: 'access_lost', due: 0, leaving: null },
    ]);
  });

  test('a name that another has by now is not taken away', async () => {
    await deleteAda();
    await admin.query(
      'update login_directory set username = $1, username_key = $1 where tutor_id = $2',
      [ada.input.username, bob.id],
    );
    await expect(restoreTutor(copy, admin, ada.input.username)).rejects.toThrow(/by now/);
    await admin.query(
      'update login_directory set username = $1, username_key = $1 where tutor_id = $2',
      [bob.input.username, bob.id],
    );
    expect((await adasRows())['public.students']).toMatch(/^0 rows/);
    await restoreTutor(copy, admin, ada.input.username);
  });
});

describe('a tutor who is there', () => {
  test('is left alone without a word, and a rehearsal changes nothing', async () => {
    const before = await adasRows();
    await expect(restoreTutor(copy, admin, ada.input.username)).rejects.toThrow(/--replace/);
    await restoreTutor(copy, admin, ada.input.email, { replace: true, rehearse: true });
    expect(await adasRows()).toEqual(before);
  });

  test('with it the book is as in the copy, twice the same; what must not go back does not', async () => {
    const browser = await logIn();
    await newStudent(browser, { name: 'Written since' });
    await admin.query(`update business_settings set next_invoice_number = 50 where tutor_id = $1`, [
      ada.id,
    ]);
    await admin.query(
      `insert into suppressions values ($1, 'email', 'since@family.example', 'unsubscribed', now())`,
      [ada.id],
    );
    await admin.query(`update students set erased_at = now() where tutor_id = $1 and id = 3`, [
      ada.id,
    ]);
    const before = await bobsRows();
    const first = await restoreTutor(copy, admin, ada.input.username, { replace: true });
    expect(first.erasedSince).toEqual(['student 3']);
    expect((await browser.call(accounts.me)).status).toBe(401);
    const once = await adasRows();
    await restoreTutor(copy, admin, ada.input.username, { replace: true });
    const twice = await adasRows();
    expect(UNCHANGED.map((name) => [name, twice[name]])).toEqual(
      UNCHANGED.map((name) => [name, once[name]]),
    );
    expect(await bobsRows()).toEqual(before);
    expect(await findViolations(admin)).toEqual([]);

    const again = await logIn();
    const names = (await again.call(students.listStudents)).body.map(({ name }) => name);
    expect(names).not.toContain('Written since');
    const { rows } = await admin.query(
      `select (select next_invoice_number from business_settings where tutor_id = $1) as number,
         (select count(*)::int from suppressions where tutor_id = $1 and address like 'since%') as no,
         (select count(*)::int from audit_log where tutor_id = $1 and action = 'book_restored') as acts`,
      [ada.id],
    );
    expect(rows[0]).toMatchObject({ number: 50, no: 1 });
    expect(rows[0].acts).toBeGreaterThanOrEqual(2);
  });

  test('a role that does not see every row is refused', async () => {
    const app = new pg.Client(living.urls.appUrl);
    await app.connect();
    await expect(restoreTutor(copy, app, ada.input.username)).rejects.toThrow(/every row/);
    await app.end();
  });
});
