import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { audit } from '@lessonbook/contract/audit';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import {
  type CalendarTestApp,
  connectGoogleCalendar,
  googleUser,
  startCalendarTestApp,
} from '../../test/calendar-test-app.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  findTutorId,
  PASSWORD,
  reauthenticate,
} from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { readAllRowsOfTutor } from '../../test/tenant-isolation-test-support.ts';
import type { TestApp } from '../../test/test-app.ts';
import { sendTutorReminders } from '../messages/service/reminders/send-due-reminders.ts';
import { deleteDueAccounts } from './service/delete-accounts.ts';

let calendarApp: CalendarTestApp;
let app: TestApp;
beforeAll(async () => {
  calendarApp = await startCalendarTestApp();
  app = calendarApp.app;
});
beforeEach(() => app.restartClock());
afterAll(() => calendarApp.close());

const requestDeletion = (browser: Browser) => browser.call(privacy.scheduleDeletion);

const tablesWithRows = async (tutorId: string): Promise<string[]> => {
  const client = await app.admin.connect();
  const rows = await readAllRowsOfTutor(client, tutorId);
  client.release();
  return Object.keys(rows).filter((table) => rows[table]?.length !== 0);
};

test('a request for deletion starts a 14-day grace period, sends an email and can be cancelled', async () => {
  const { browser, input } = await createTutor(app);
  expect((await requestDeletion(browser)).body).toEqual({ deletesAt: '2026-11-30T12:00:00.000Z' });
  const mail = await app.mailbox.waitFor(
    ({ to, subject }) => to.includes(input.email) && /will be deleted/.test(subject ?? ''),
  );
  expect(mail.text).toContain('On 30 November 2026 everything in it will be permanently deleted');
  // A second request changes nothing.
  app.clock.advance({ days: 3 });
  await reauthenticate(browser);
  expect((await requestDeletion(browser)).body.deletesAt).toBe('2026-11-30T12:00:00.000Z');
  app.clock.advance({ days: 10, hours: 23 });
  await deleteDueAccounts(app.context);
  expect((await browser.call(accounts.me)).body.deletesAt).toBe('2026-11-30T12:00:00.000Z');
  expect((await browser.call(privacy.cancelDeletion)).body.deletesAt).toBeNull();
  app.clock.advance({ days: 2 });
  await deleteDueAccounts(app.context);
  expect((await browser.call(accounts.me)).status).toBe(200);
  const { entries } = (await browser.call(audit.listAuditEntries, { query: {} })).body;
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual([
    'deletion_cancelled',
    'deletion_requested',
  ]);
});

test("[V7.4.2] the deletion removes all of the tutor's rows after the grace period, disconnects Google and sends a final email", async () => {
  const { google } = calendarApp;
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  const user = await googleUser(browser);
  expect(await connectGoogleCalendar(google, browser, { user })).toContain('calendar=connected');
  await createCompletedLesson(fixture, children[0] as number, '2026-11-10');
  await createPayment(browser, familyId, 2000);
  await calendarApp.waitUntilIdle();
  const me = (await browser.call(accounts.me)).body;
  const tutorId = await findTutorId(app, me);
  const bystander = await createFamilyFixture(app);
  const other = await findTutorId(app, (await bystander.fixture.browser.call(accounts.me)).body);
  const before = await tablesWithRows(other);
  expect(await google.control.report(user)).toMatchObject([{ connected: true }]);
  expect((await tablesWithRows(tutorId)).length).toBeGreaterThan(15);
  await requestDeletion(browser);
  app.clock.advance({ days: 14 });
  expect((await browser.call(privacy.cancelDeletion)).error.message).toMatch(
    /already being deleted/,
  );
  await Promise.all([deleteDueAccounts(app.context), deleteDueAccounts(app.context)]);
  expect(await tablesWithRows(tutorId)).toEqual([]);
  expect(await tablesWithRows(other)).toEqual(before);
  const jobs = await app.admin.query(
    `select 1 from jobs.job where data::text like '%' || $1 || '%'`,
    [tutorId],
  );
  expect(jobs.rows).toEqual([]);
  expect((await browser.call(accounts.me)).status).toBe(401);
  const finalEmail = await app.mailbox.waitFor(
    ({ to, subject }) => to.includes(me.email) && /was deleted/.test(subject ?? ''),
  );
  expect(finalEmail.text).toContain('the last email from us');
  expect(await google.control.report(user)).toMatchObject([{ connected: false }]);
  // The username is available again.
  const signup = await app.browser().call(accounts.signup, {
    body: { name: 'New', email: me.email, username: me.username, password: PASSWORD },
  });
  expect(signup.status).toBe(201);
});

test('no automatic messages are sent during the grace period, and they resume after cancellation', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const student = await createStudent(browser, {
    name: 'Maya Okafor',
    email: 'maya@family.example',
  });
  const subject = await createSubject(browser);
  await addLesson({ browser, studentId: student.id, subjectId: subject.id });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  await requestDeletion(browser);
  app.clock.set('2026-11-16T16:30:00Z');
  const countReminders = () =>
    app.admin
      .query(`select 1 from messages where tutor_id = $1 and kind = 'lesson_reminder'`, [tutorId])
      .then(({ rows }) => rows.length);
  await sendTutorReminders(app.context, tutorId);
  expect(await countReminders()).toBe(0);
  await browser.call(privacy.cancelDeletion);
  await sendTutorReminders(app.context, tutorId);
  expect(await countReminders()).toBe(1);
});

test('erasing a student removes the events from Google Calendar', async () => {
  const { google } = calendarApp;
  const { browser } = await createTutor(app);
  const user = await googleUser(browser);
  await connectGoogleCalendar(google, browser, { user });
  const student = await createStudent(browser, { name: 'Quillerased Person' });
  const subject = await createSubject(browser);
  await addLesson({ browser, studentId: student.id, subjectId: subject.id });
  await calendarApp.waitUntilIdle();
  const events = async () => JSON.stringify(await google.control.report(user));
  expect(await events()).toContain('Quillerased');
  const body = { kind: 'student', id: student.id, name: student.name } as const;
  expect((await browser.call(privacy.erasePerson, { body })).status).toBe(200);
  await calendarApp.waitUntilIdle();
  await expect.poll(() => countLiveEvents(user)).toBe(0);
});

const countLiveEvents = async (user: string): Promise<number> => {
  const [report] = await calendarApp.google.control.report(user);
  return (report?.calendars ?? [])
    .flatMap(({ events }) => events)
    .filter(({ status }) => status !== 'cancelled').length;
};
