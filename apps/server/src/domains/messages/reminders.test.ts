import { accounts } from '@lessonbook/contract/accounts';
import { studentStatus } from '@lessonbook/contract/change-student-status';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { sessionMessages } from '@lessonbook/contract/list-messages-about-session';
import { messages } from '@lessonbook/contract/messages';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  reauthenticate,
} from '../../test/create-tutor.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { retryFailedJobsNow } from '../../test/wait-for-queue-and-control-retries.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let familyCount = 0;

/** A verified tutor, and a carer with two children and a unique email address. */
async function createFixture() {
  familyCount += 1;
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const email = `ruth${familyCount}@families.example`;
  const carer = { carerName: 'Ruth Hale', carerEmail: email, carerPhone: '+447700900123' };
  const maya = await createStudent(browser, { name: 'Maya Hale', ...carer });
  const leo = await createStudent(browser, { name: 'Leo Hale', carerId: maya.carerId });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const emails = () => app.mailbox.emails().filter((mail) => mail.to.includes(email));
  return { fixture, maya, leo, email, emails, tutorEmail: input.email };
}
type ReminderFixture = Awaited<ReturnType<typeof createFixture>>;

const startReminders = (setup: ReminderFixture) =>
  setup.fixture.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
const runReminders = () => sendDueReminders(app.context);
const waitForEmails = (setup: ReminderFixture, count: number) =>
  app.mailbox.waitFor(() => setup.emails().length >= count);
const updateSettings = async (setup: ReminderFixture, change: object) => {
  const { body } = await setup.fixture.browser.call(reminders.reminderSettings);
  const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
  return setup.fixture.browser.call(reminders.saveReminderSettings, {
    body: { ...settings, ...change },
  });
};
const waitUntilSent = (setup: ReminderFixture) => waitUntilMessagesProcessed(setup.fixture.browser);

describe('lesson reminders', () => {
  test('F145 no reminder is sent for a paused student, including in a group with a sibling', async () => {
    const setup = await createFixture();
    const { fixture, maya, leo } = setup;
    await addLesson(fixture, { startTime: '14:00', endTime: '15:00' });
    await addLesson(fixture, { students: [{ studentId: maya.id }, { studentId: leo.id }] });
    await startReminders(setup);
    await fixture.browser.call(studentStatus.changeStudentStatus, {
      params: { id: maya.id },
      body: { status: 'paused', fromDate: '2026-11-17' },
    });
    app.clock.advance({ hours: 4 });
    await runReminders();
    await waitForEmails(setup, 1);
    await waitUntilSent(setup);
    const [mail, ...others] = setup.emails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Leo');
    expect(mail?.text).not.toContain('Maya');
  });

  test("[PROD-11] are sent once they are turned on: the carer gets one email listing both children's lessons by time", async () => {
    const setup = await createFixture();
    await addLesson(setup.fixture, { place: 'Library' });
    await addLesson(setup.fixture, {
      studentId: setup.leo.id,
      startTime: '17:00',
      endTime: '17:45',
    });
    app.clock.advance({ days: 1, hours: 3 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.emails()).toEqual([]);
    app.clock.restart();
    const previews = await setup.fixture.browser.call(reminders.previewFirstReminders);
    expect(previews.body).toMatchObject([
      {
        toName: 'Ruth Hale',
        channel: 'email',
        address: setup.email,
        at: '2026-11-16T16:00:00.000Z',
      },
    ]);
    await startReminders(setup);
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.emails()).toEqual([]);
    app.clock.advance({ hours: 4 });
    await runReminders();
    await runReminders();
    await waitForEmails(setup, 1);
    await waitUntilSent(setup);
    const [mail] = setup.emails();
    expect(setup.emails()).toHaveLength(1);
    expect(mail).toMatchObject({
      subject: 'Lesson reminder: Tomorrow, Maya 4pm, Leo 5pm',
      replyTo: [setup.tutorEmail],
    });
    expect(mail?.text).toContain('Maya: Maths, 4pm to 5pm, Library');
    expect(mail?.text).not.toContain('Maya Hale');
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.headers['from']).toContain('Ada Fenwick via Lessonbook');
    const [calendar] = mail?.attachments ?? [];
    expect(calendar?.content.toString()).toMatch(
      /DTSTART:20261117T160000Z[\s\S]*DTSTART:20261117T170000Z/,
    );
    const log = await setup.fixture.browser.call(messages.listMessages, { query: {} });
    // The email contains the text from the message log, followed by the footer.
    const [text, unsubscribeUrl] =
      mail?.text.trim().split(/\n\n-- \n.*\nChange or stop reminders: /) ?? [];
    expect(text).toBe(log.body[0]?.text);
    expect(unsubscribeUrl).toMatch(/\/unsubscribe\/u_[\w-]+$/);
  });

  test('F108 a session lists its planned reminder and, later, the reminder that was sent', async () => {
    const setup = await createFixture();
    const { browser } = setup.fixture;
    const { sessionId } = await addLesson(setup.fixture);
    const read = async () =>
      (await browser.call(sessionMessages.sessionMessages, { params: { id: sessionId } })).body;
    expect(await read()).toEqual({ messages: [], planned: [] });
    await startReminders(setup);
    const reminder = { channel: 'email', toName: 'Ruth Hale' };
    expect(await read()).toEqual({
      messages: [],
      planned: [{ ...reminder, at: '2026-11-16T16:00:00.000Z' }],
    });
    app.clock.advance({ hours: 4 });
    await runReminders();
    await waitForEmails(setup, 1);
    await waitUntilSent(setup);
    expect(await read()).toMatchObject({
      messages: [{ ...reminder, kind: 'lesson_reminder', state: 'sent' }],
      planned: [],
    });
  });

  test('are not sent for a cancelled lesson, and are corrected if the lesson is moved after the reminder', async () => {
    const setup = await createFixture();
    const cancelled = await addLesson(setup.fixture);
    const later = await addLesson(setup.fixture, { date: '2026-11-18' });
    await startReminders(setup);
    await setup.fixture.browser.call(sessions.cancelSession, {
      params: { id: cancelled.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    app.clock.advance({ hours: 5 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.emails()).toEqual([]);
    app.clock.advance({ days: 1 });
    await runReminders();
    await waitForEmails(setup, 1);
    await waitUntilSent(setup);
    await setup.fixture.browser.call(sessions.rescheduleSession, {
      params: { id: later.sessionId },
      body: { date: '2026-11-20', startTime: '09:00', endTime: '10:00' },
    });
    await runReminders();
    await waitForEmails(setup, 2);
    const correction = setup.emails()[1];
    expect(correction?.subject).toBe('Lesson moved: Maya to Fri 20 Nov, 9am');
    expect(correction?.text).toContain('is now on Friday 20 November, 9am to 10am');
  });

  test('contain the Google Meet link or, if Google has not created it yet, say where to find it', async () => {
    const setup = await createFixture();
    const { browser } = setup.fixture;
    const setMeet = (sessionId: number, link: string | null) =>
      app.admin.query(
        `update sessions set uses_google_meet = true, place = 'Google Meet', meet_link = $2
         where id = $1 and tutor_id = (select tutor_id from contacts where email = $3)`,
        [sessionId, link, setup.email],
      );
    const first = await addLesson(setup.fixture);
    const second = await addLesson(setup.fixture, { startTime: '18:00', endTime: '19:00' });
    await setMeet(first.sessionId, 'https://meet.google.com/abc-defg-hij');
    await setMeet(second.sessionId, null);
    await startReminders(setup);
    app.clock.advance({ hours: 4 });
    await runReminders();
    await waitForEmails(setup, 1);
    const [mail] = setup.emails();
    expect(mail?.text).toContain('4pm to 5pm, https://meet.google.com/abc-defg-hij');
    expect(mail?.text).toContain('6pm to 7pm, Online: Google Meet, link to follow');

    const attached = mail?.attachments[0]?.content.toString().replaceAll('\r\n ', '');
    expect(attached).toContain('LOCATION:https://meet.google.com/abc-defg-hij');

    await reauthenticate(browser);
    expect((await browser.call(portalSettings.openPortal)).status).toBe(200);
    await browser.call(sessions.rescheduleSession, {
      params: { id: second.sessionId },
      body: { date: '2026-11-17', startTime: '19:00', endTime: '20:00' },
    });
    await runReminders();
    await waitForEmails(setup, 2);
    expect(setup.emails()[1]?.text).toContain('Online: the link is in the family portal');
  });

  test('leave out a lesson that is cancelled while the email is waiting to be retried', async () => {
    const setup = await createFixture();
    const first = await addLesson(setup.fixture);
    await addLesson(setup.fixture, {
      studentId: setup.leo.id,
      startTime: '18:00',
      endTime: '19:00',
    });
    await startReminders(setup);
    app.clock.advance({ hours: 5 });
    app.mailbox.rejectNext(451);
    await runReminders();
    await setup.fixture.browser.call(sessions.cancelSession, {
      params: { id: first.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    await retryFailedJobsNow(app, 'send-message');
    await waitForEmails(setup, 1);
    const [mail] = setup.emails();
    expect(mail?.subject).toBe('Lesson reminder: Tomorrow, Leo 6pm');
    expect(mail?.text).not.toContain('Maya');
  });

  test('F17 store the date of their lessons in a separate field, not only in the dedupe key', async () => {
    const setup = await createFixture();
    await addLesson(setup.fixture);
    await startReminders(setup);
    app.clock.advance({ hours: 5 });
    app.mailbox.rejectNext(451);
    await runReminders();
    await app.admin.query(`update messages set dedupe_key = 'reworded' where address = $1`, [
      setup.email,
    ]);
    await retryFailedJobsNow(app, 'send-message');
    await waitForEmails(setup, 1);
    expect(setup.emails()[0]?.subject).toBe('Lesson reminder: Tomorrow, Maya 4pm');
  });

  test('are sent on the next run for a lesson created shortly before it starts', async () => {
    const setup = await createFixture();
    await startReminders(setup);
    await runReminders();
    await addLesson(setup.fixture, { date: '2026-11-16', startTime: '15:00', endTime: '16:00' });
    await runReminders();
    await waitForEmails(setup, 1);
    expect(setup.emails()[0]?.subject).toBe('Lesson reminder: Today, Maya 3pm');
  });

  test("[SET-21] respect the 'Lesson Reminders' setting and the student's own settings", async () => {
    const setup = await createFixture();
    await addLesson(setup.fixture);
    await startReminders(setup);
    await setup.fixture.browser.call(accounts.updateNotificationSettings, {
      body: { emailNotifications: true, lessonReminders: false, paymentNotifications: true },
    });
    app.clock.advance({ hours: 5 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.emails()).toEqual([]);
    const other = await createFixture();
    await addLesson(other.fixture);
    await startReminders(other);
    await other.fixture.browser.call(reminders.saveStudentReminders, {
      params: { id: other.maya.id },
      body: { isCustom: true, leadMinutes: null, channels: ['email'], recipient: 'carer' },
    });
    await runReminders();
    await waitUntilSent(other);
    expect(other.emails()).toEqual([]);
  });

  test('sent by WhatsApp become drafts that the tutor opens and marks as sent', async () => {
    const setup = await createFixture();
    await addLesson(setup.fixture);
    await updateSettings(setup, { channels: ['whatsapp'] });
    await startReminders(setup);
    app.clock.advance({ hours: 5 });
    await runReminders();
    const outbox = async () => (await setup.fixture.browser.call(messages.outbox)).body;
    const [draft] = await outbox();
    expect(draft?.openUrl).toMatch(/^https:\/\/wa\.me\/447700900123\?text=Hi%20Ruth/);
    const params = { id: draft?.id ?? 0 };
    const opened = await setup.fixture.browser.call(messages.markMessageOpened, { params });
    expect(opened.body.state).toBe('opened');
    const setOutcome = (outcome: 'sent' | 'not_yet') =>
      setup.fixture.browser.call(messages.setMessageOutcome, { params, body: { outcome } });
    expect((await setOutcome('not_yet')).body.state).toBe('draft');
    expect((await setOutcome('sent')).body).toMatchObject({ state: 'sent' });
    expect(await outbox()).toEqual([]);
    expect((await setOutcome('sent')).status).toBe(409);
  });

  test('are not sent to an unsubscribed address', async () => {
    const setup = await createFixture();
    await addLesson(setup.fixture);
    await addLesson(setup.fixture, { date: '2026-11-19' });
    await startReminders(setup);
    app.clock.advance({ hours: 5 });
    await runReminders();
    await waitForEmails(setup, 1);
    const header = setup.emails()[0]?.headers['list-unsubscribe'] ?? '';
    const token = /unsubscribe\/([\w-]+)/.exec(header)?.[1] ?? '';
    const unsubscribe = () =>
      app.browser().call(emailPreferences.unsubscribe, { params: { token } });
    // The request as sent by mail clients: form-encoded, without cookies, origin or referrer.
    const oneClick = await fetch(`${app.url}/api/unsubscribe/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: setup.emails()[0]?.headers['list-unsubscribe-post'] ?? '',
    });
    expect(await oneClick.json()).toEqual({
      tutorName: 'Ada Fenwick',
      stoppedKinds: ['lesson_notes', 'lesson_reminder', 'payment_reminder'],
    });
    expect((await unsubscribe()).status).toBe(200);
    app.clock.advance({ days: 2 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.emails()).toHaveLength(1);
    const wrong = await app
      .browser()
      .call(emailPreferences.unsubscribe, { params: { token: 'u_x' } });
    expect(wrong.status).toBe(404);
  });

  test('cannot be sent by a tutor with an unverified address', async () => {
    const { browser } = await createTutor(app);
    const student = await createStudent(browser, { name: 'Maya', email: 'maya@students.example' });
    const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
    const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
    const { sessionId } = await addLesson(fixture);
    await browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
    const rejected = await browser.call(messages.sendChangeNotice, {
      body: { sessionIds: [sessionId], channel: 'email' },
    });
    expect([rejected.status, rejected.error.message]).toEqual([
      409,
      'Please confirm your email address first, then try again.',
    ]);
  });
});

describe('DST transitions', () => {
  test.each([
    ['Europe/London', '2026-10-25'],
    ['Europe/Berlin', '2027-03-28'],
    ['America/New_York', '2026-11-01'],
    ['America/Los_Angeles', '2027-03-14'],
    ['America/Santiago', '2027-04-04'],
    ['Australia/Sydney', '2027-04-04'],
    ['Australia/Lord_Howe', '2027-04-04'],
    ['Pacific/Auckland', '2027-04-04'],
    ['Africa/Casablanca', '2027-02-07'],
    ['Asia/Beirut', '2027-03-28'],
  ])(
    'in %s the reminder on the day before %s is sent at the same local time',
    async (timeZone, date) => {
      const { reminderTime } = await import('./rules/reminder-time.ts');
      const { toInstants } = await import('../lessons/rules/local-to-utc.ts');
      const slot = { date, startTime: '16:00', endTime: '17:00' };
      const at = reminderTime(timeZone, { ...slot, ...toInstants(timeZone, slot) }, 1440);
      const local = new Intl.DateTimeFormat('en-GB', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'short',
      }).format(at);
      const day = String(Number(date.slice(8)) - 1 || 31).padStart(2, '0');
      expect(local).toContain('16:00');
      expect(local.startsWith(day)).toBe(true);
    },
  );
});
