import { accounts } from '@lessonbook/contract/accounts';
import { lessonNotes, type SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { portalNotes } from '@lessonbook/contract/portal-notes';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '../../platform/app-error.ts';
import { queryFromSql } from '../../platform/db/database.ts';
import type { ContactPrincipal } from '../../platform/db/set-transaction-principal.ts';
import { readTokenFromEmail } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { NO_ACCESS } from '../../test/portal-fixture.ts';
import {
  createPortalPeople,
  emailOf,
  type PortalPeople,
  readStatusMatrix,
  SEATS,
  type SeatName,
  seatOf,
} from '../../test/portal-people.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendDueNoteEmails } from '../messages/service/outbound/send-lesson-note-emails.ts';
import { readPortalNotes, setPortalHomeworkDone } from './service/portal-notes-and-homework.ts';

/*
 * Notes and homework for every kind of contact, like the matrix for lessons in access-matrix.test.ts. Leo is 16, and only
 * he may read his notes.
 */

let app: TestApp;
let owner: pg.Client;
let fixture: PortalPeople;

/** Texts that only some contacts may see; the last four are for the tutor alone. */
const CANARIES = {
  'note of Maya': 'Maya factorised',
  'homework of Maya': 'Sheet for Maya',
  'note of Leo': 'Leo rearranged',
  'homework of Leo': 'Sheet for Leo',
  'note of Sam': 'Sam integrated',
  'homework of Sam': 'Sheet for Sam',
  draft: 'Draft about Maya',
  'earlier version': 'Maya factorized',
  withdrawn: 'Withdrawn about Maya',
  private: 'Private about the group',
} as const;
type Canary = keyof typeof CANARIES;

/** Whose notes each kind of contact may read and whose homework they may mark as done; null if they may not use the portal. */
const ALLOWED: Record<string, SeatName[] | null> = {
  'main contact of two students': ['Maya'],
  'second contact with notes': ['Maya'],
  'student with private notes': ['Leo'],
  'contact of another family': ['Sam'],
  'second contact with lessons': [],
  'second contact with lessons and place': [],
  'second contact who may cancel': [],
  'second contact who may request moves': [],
  'contact with money only': [],
  'contact with money who may request moves': [],
  'contact with notes that are for the student only': null,
  'contact without any access': null,
  'suspended contact': null,
  'removed contact': null,
  'contact of another tutor': null,
};
const { 'contact of another tutor': _, ...ALLOWED_HERE } = ALLOWED;

const CANARIES_ALLOWED = Object.fromEntries(
  Object.entries(ALLOWED).map(([person, names]) => [
    person,
    names?.flatMap((name): Canary[] => [`note of ${name}`, `homework of ${name}`]) ?? null,
  ]),
);

const findCanaries = (text: string): Canary[] =>
  (Object.keys(CANARIES) as Canary[]).filter((canary) => text.includes(CANARIES[canary]));

const share = (sessionId: number, studentId: number, note: Partial<SaveNoteInput>) =>
  fixture.family.browser.call(lessonNotes.saveNote, {
    params: { id: sessionId, studentId },
    body: { share: true, ...note },
  });

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  fixture = await createPortalPeople(app);
  const { family, add } = fixture;
  const { browser, leo, maya } = family;
  await verifyTutor();
  await add('second contact with notes', { seesNotes: true });
  await add('contact with notes that are for the student only', { seesNotes: true }, leo.id);
  await addLeo();
  for (const name of SEATS) {
    const { sessionId, studentId } = seatOf(fixture, name);
    if (name === 'Maya') await share(sessionId, studentId, { did: CANARIES['earlier version'] });
    const note = { did: CANARIES[`note of ${name}`], homework: CANARIES[`homework of ${name}`] };
    await share(sessionId, studentId, note);
    if (name === 'Maya') await share(sessionId, studentId, { did: CANARIES.draft, share: false });
  }
  const later = await addLesson(family.fixture, { studentId: maya.id, date: '2026-11-25' });
  await share(later.sessionId, maya.id, { did: CANARIES.withdrawn });
  await browser.call(lessonNotes.withdrawNote, {
    params: { id: later.sessionId, studentId: maya.id },
  });
  await browser.call(sessions.updateSessionNotes, {
    params: { id: family.group.sessionId },
    body: { notes: CANARIES.private },
  });
}, 120_000);
afterAll(async () => {
  await owner.end();
  await app.close();
});

async function verifyTutor(): Promise<void> {
  const { browser } = fixture.family;
  const { email } = (await browser.call(accounts.me)).body;
  const token = await readTokenFromEmail(app, email, 'verify-email');
  await browser.call(accounts.confirmEmail, { body: { token } });
}

/** Adds Leo as a contact, which is required before his notes can be private to him, and signs him in. */
async function addLeo(): Promise<void> {
  const { browser, leo } = fixture.family;
  const email = emailOf('student with private notes');
  const params = { id: leo.id };
  const setReaders = () =>
    browser.call(studentContacts.setNoteReaders, { params, body: { studentOnly: true } });
  expect((await setReaders()).status).toBe(409);
  await browser.call(students.updateStudent, {
    params,
    body: { name: 'Leo Hale', email, carerId: leo.carerId },
  });
  const added = await browser.call(studentContacts.addContact, {
    params,
    body: { isStudent: true },
  });
  const contact = added.body.contacts.find(({ isStudent }) => isStudent);
  expect(contact).toMatchObject({ name: 'Leo Hale', isMain: false, access: NO_ACCESS });
  const contactId = contact?.id as number;
  await browser.call(studentContacts.updateContact, {
    params: { ...params, contactId },
    body: { name: 'Leo Hale', email, access: { ...NO_ACCESS, seesNotes: true } },
  });
  expect((await setReaders()).body.notesForStudentOnly).toBe(true);
  await fixture.signIn('student with private notes', email, contactId);
}

async function readMatrix(): Promise<Record<string, Canary[] | null>> {
  const matrix: Record<string, Canary[] | null> = {};
  for (const [person, { browser, publicId }] of fixture.people) {
    const params = { publicId };
    const replies = [await browser.call(portalNotes.portalNotes, { params })];
    for (const name of SEATS) {
      const { studentId } = seatOf(fixture, name);
      replies.push(await browser.call(portalNotes.portalNotes, { params, query: { studentId } }));
    }
    matrix[person] = replies.every(({ status }) => status === 401)
      ? null
      : findCanaries(JSON.stringify(replies.map(({ body }) => body)));
  }
  return matrix;
}

const readTickMatrix = () =>
  readStatusMatrix(fixture, [200], ({ browser, publicId }, name) => {
    const body = { ...seatOf(fixture, name), isDone: true };
    return browser.send('PUT', `/api/portal/tutors/${publicId}/homework`, body);
  });

test('each contact may read the notes and mark as done the homework that the tutor allowed', async () => {
  expect(await readMatrix()).toEqual(CANARIES_ALLOWED);
  expect(await readTickMatrix()).toEqual(ALLOWED);
});

describe('the database alone', () => {
  const principalOf = async (person: string): Promise<ContactPrincipal> => {
    const contactId = fixture.contactIds[person] as number;
    const { rows } = await app.admin.query<{ tutor_id: string; login_id: string }>(
      'select tutor_id, login_id from contact_logins where contact_id = $1 order by first_seen_at limit 1',
      [contactId],
    );
    return {
      tutorId: rows[0]?.tutor_id ?? '',
      contactId,
      loginId: rows[0]?.login_id ?? '',
      at: app.clock.now(),
    };
  };
  const allowEverything = () =>
    SEATS.map((name) => ({
      id: seatOf(fixture, name).studentId,
      name,
      seesLessons: true,
      seesPlace: true,
      seesNotes: true,
      seesMoney: true,
      mayCancel: true,
      mayRequestMoves: true,
    }));

  test('lets each contact see and change only what the tutor allowed, even if the application allows everything', async () => {
    const read: Record<string, Canary[] | null> = {};
    const ticked: Record<string, string[] | null> = {};
    for (const person of Object.keys(ALLOWED_HERE)) {
      const contact = { ...(await principalOf(person)), students: allowEverything() };
      const page = await readPortalNotes(app.context, contact, { offset: 0 }).catch(() => null);
      read[person] = page && findCanaries(JSON.stringify(page));
      const codes: Record<string, string> = {};
      for (const name of SEATS) {
        const input = { ...seatOf(fixture, name), isDone: true };
        codes[name] = await setPortalHomeworkDone(app.context, contact, input).then(
          () => 'done',
          (error: unknown) => (error as AppError).code,
        );
      }
      ticked[person] = Object.values(codes).every((code) => code === 'unauthenticated')
        ? null
        : SEATS.filter((name) => codes[name] === 'done');
    }
    const { 'contact of another tutor': _other, ...expected } = CANARIES_ALLOWED;
    expect(read).toEqual(expected);
    expect(ticked).toEqual(ALLOWED_HERE);
  });

  test('shows no notes in the calendar feed, which is read without a login', async () => {
    await app.admin.query(
      'insert into contact_feeds select tutor_id, id, now() from contacts on conflict do nothing',
    );
    const ruth = await principalOf('main contact of two students');
    const readAs = async (loginId: string) => {
      const [rows] = await app.context.db.contactRead({ ...ruth, loginId }, (tx) => [
        queryFromSql(
          tx,
          sql<object>`select from portal_notes union all select from portal_homework`,
        ),
      ]);
      return rows.length;
    };
    expect([await readAs(ruth.loginId), await readAs('feed')]).toEqual([2, 0]);
  });
});

describe('the application alone', () => {
  test('lets each contact see and change only what the tutor allowed, even if the views show every shared note', async () => {
    const { rows } = await owner.query<{ definition: string }>(
      `select pg_get_viewdef('portal_access'::regclass) as definition`,
    );
    await owner.query(`create or replace view portal_access as
      select s.tutor_id, c.id as contact_id, c.name as contact_name, c.time_zone, s.id as student_id, s.name as student_name,
        true as sees_lessons, true as sees_place, true as sees_money, true as may_cancel, true as may_ask, true as sees_notes
      from students s join contacts c on c.tutor_id = s.tutor_id and c.id = current_setting('app.contact_id')::integer
      where s.tutor_id = current_setting('app.tutor_id')::uuid`);
    try {
      expect(await readMatrix()).toEqual(CANARIES_ALLOWED);
      expect(await readTickMatrix()).toEqual(ALLOWED);
    } finally {
      await owner.query(
        `create or replace view portal_access with (security_barrier) as ${rows[0]?.definition}`,
      );
    }
    expect(await readMatrix()).toEqual(CANARIES_ALLOWED);
  });
});

test('each contact is emailed exactly the notes that they may read', async () => {
  const { family } = fixture;
  app.clock.advance({ hours: 6 });
  await sendDueNoteEmails(app.context);
  await waitUntilMessagesProcessed(family.browser);
  const emails = app.mailbox.emails().filter(({ subject }) => subject.startsWith('New note'));
  const addresses: Record<string, string> = {
    'main contact of two students': family.ruthEmail,
    'contact of another family': family.tomEmail,
  };
  const found = Object.keys(ALLOWED_HERE).map((person) => {
    const address = addresses[person] ?? emailOf(person);
    const received = emails.filter(({ to }) => to.includes(address));
    expect(received.length, person).toBeLessThan(2);
    return [person, findCanaries(received.map(({ text }) => text).join())];
  });
  const expected = Object.keys(ALLOWED_HERE).map((person) => [
    person,
    CANARIES_ALLOWED[person] ?? [],
  ]);
  expect(found).toEqual(expected);
});
