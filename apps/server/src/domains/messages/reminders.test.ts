import { accounts } from '@lessonbook/contract/accounts';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminders';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/factories.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import { hurryRetries } from '../../test/queue-idle.ts';
import { settledMessages } from '../../test/settled-messages.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, createVerifiedTutor } from '../../test/tutor.ts';
import { sendDueReminders } from './service/reminders/lesson-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let families = 0;

/** A tutor whose address is confirmed, with a carer of two children whose mails can be told from all others. */
async function createFixture() {
  families += 1;
  const { browser, input } = await createVerifiedTutor(app);
  const email = `ruth${families}@families.example`;
  const carer = { carerName: 'Ruth Hale', carerEmail: email, carerPhone: '+447700900123' };
  const maya = await newStudent(browser, { name: 'Maya Hale', ...carer });
  const leo = await newStudent(browser, { name: 'Leo Hale', carerId: maya.carerId });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const mails = () => app.mailbox.mails().filter((mail) => mail.to.includes(email));
  return { desk: fixture, maya, leo, email, mails, tutorEmail: input.email };
}
type ReminderFixture = Awaited<ReturnType<typeof createFixture>>;

const start = (setup: ReminderFixture) => setup.desk.browser.call(reminders.startReminders);
const runReminders = () => sendDueReminders(app.context);
const waitForMails = (setup: ReminderFixture, many: number) =>
  app.mailbox.waitFor(() => setup.mails().length >= many);
const updateSettings = async (setup: ReminderFixture, change: object) => {
  const { body } = await setup.desk.browser.call(reminders.reminderSettings);
  const { enabledAt: _s, defaultTemplates: _p, ...own } = body;
  return setup.desk.browser.call(reminders.saveReminderSettings, { body: { ...own, ...change } });
};
const waitUntilSent = (setup: ReminderFixture) => settledMessages(setup.desk.browser);

describe('lesson reminders', () => {
  test('[PROD-11] nothing goes by itself before they are started; then one for the carer, with the children by time', async () => {
    const setup = await createFixture();
    await addLesson(setup.desk, { place: 'Library' });
    await addLesson(setup.desk, { studentId: setup.leo.id, startTime: '17:00', endTime: '17:45' });
    app.clock.forward({ days: 1, hours: 3 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.mails()).toEqual([]);
    app.clock.restart();
    const batch = await setup.desk.browser.call(reminders.previewFirstReminders);
    expect(batch.body).toMatchObject([
      {
        toName: 'Ruth Hale',
        channel: 'email',
        address: setup.email,
        at: '2026-11-16T16:00:00.000Z',
      },
    ]);
    await start(setup);
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.mails()).toEqual([]);
    app.clock.forward({ hours: 4 });
    await runReminders();
    await runReminders();
    await waitForMails(setup, 1);
    await waitUntilSent(setup);
    const [mail] = setup.mails();
    expect(setup.mails()).toHaveLength(1);
    expect(mail).toMatchObject({
      subject: 'Tomorrow: Maya 4:00 pm, Leo 5:00 pm',
      replyTo: [setup.tutorEmail],
    });
    expect(mail?.text).toContain('Maya: Maths, 4:00 pm to 5:00 pm, Library');
    expect(mail?.text).not.toContain('Maya Hale');
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.headers['from']).toContain('Ada Fenwick via Lessonbook');
    const [calendar] = mail?.attachments ?? [];
    expect(calendar?.content.toString()).toMatch(
      /DTSTART:20261117T160000Z[\s\S]*DTSTART:20261117T170000Z/,
    );
    const log = await setup.desk.browser.call(messages.listMessages, { query: {} });
    // What stands in the log is what was read, with a way out below it.
    const [text, out] = mail?.text.trim().split('\n\nNo more reminders:\n') ?? [];
    expect(text).toBe(log.body[0]?.text);
    expect(out).toMatch(/\/unsubscribe\/u_[\w-]+$/);
  });

  test('a cancelled lesson is not reminded of; one that is cancelled or moved after it is corrected', async () => {
    const setup = await createFixture();
    const gone = await addLesson(setup.desk);
    const later = await addLesson(setup.desk, { date: '2026-11-18' });
    await start(setup);
    await setup.desk.browser.call(sessions.cancelSession, {
      params: { id: gone.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    app.clock.forward({ hours: 5 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.mails()).toEqual([]);
    app.clock.forward({ days: 1 });
    await runReminders();
    await waitForMails(setup, 1);
    await waitUntilSent(setup);
    await setup.desk.browser.call(sessions.rescheduleSession, {
      params: { id: later.sessionId },
      body: { date: '2026-11-20', startTime: '09:00', endTime: '10:00' },
    });
    await runReminders();
    await waitForMails(setup, 2);
    const news = setup.mails()[1];
    expect(news?.subject).toBe('Moved: Maya Wed 18 Nov');
    expect(news?.text).toContain('is now Fri 20 Nov, 9:00 am to 10:00 am');
  });

  test('what is called off while the mail waits is left out, or the mail with it', async () => {
    const setup = await createFixture();
    const first = await addLesson(setup.desk);
    await addLesson(setup.desk, { studentId: setup.leo.id, startTime: '18:00', endTime: '19:00' });
    await start(setup);
    app.clock.forward({ hours: 5 });
    app.mailbox.refuseNext(451);
    await runReminders();
    await setup.desk.browser.call(sessions.cancelSession, {
      params: { id: first.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    await hurryRetries(app, 'send-message');
    await waitForMails(setup, 1);
    const [mail] = setup.mails();
    expect(mail?.subject).toBe('Tomorrow: Leo 6:00 pm');
    expect(mail?.text).not.toContain('Maya');
  });

  test('a lesson written down shortly before it begins is reminded of at the next tick', async () => {
    const setup = await createFixture();
    await start(setup);
    await runReminders();
    await addLesson(setup.desk, { date: '2026-11-16', startTime: '15:00', endTime: '16:00' });
    await runReminders();
    await waitForMails(setup, 1);
    expect(setup.mails()[0]?.subject).toBe('Today: Maya 3:00 pm');
  });

  test("[SET-21] the switch 'Lesson Reminders' is obeyed, and so is a student's own choice", async () => {
    const setup = await createFixture();
    await addLesson(setup.desk);
    await start(setup);
    await setup.desk.browser.call(accounts.updateNotificationSettings, {
      body: { emailNotifications: true, lessonReminders: false, paymentNotifications: true },
    });
    app.clock.forward({ hours: 5 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.mails()).toEqual([]);
    const other = await createFixture();
    await addLesson(other.desk);
    await start(other);
    await other.desk.browser.call(reminders.saveStudentReminders, {
      params: { id: other.maya.id },
      body: { isCustom: true, lead: null, channels: ['email'], recipient: 'carer' },
    });
    await runReminders();
    await waitUntilSent(other);
    expect(other.mails()).toEqual([]);
  });

  test('by WhatsApp they lie in the tray, are opened, and are ticked off by the tutor', async () => {
    const setup = await createFixture();
    await addLesson(setup.desk);
    await updateSettings(setup, { channels: ['whatsapp'] });
    await start(setup);
    app.clock.forward({ hours: 5 });
    await runReminders();
    const tray = async () => (await setup.desk.browser.call(messages.outbox)).body;
    const [draft] = await tray();
    expect(draft?.openUrl).toMatch(/^https:\/\/wa\.me\/447700900123\?text=Hello%20Ruth/);
    const params = { id: draft?.id ?? 0 };
    const opened = await setup.desk.browser.call(messages.markMessageOpened, { params });
    expect(opened.body.state).toBe('opened');
    const settle = (outcome: 'sent' | 'not_yet') =>
      setup.desk.browser.call(messages.setMessageOutcome, { params, body: { outcome } });
    expect((await settle('not_yet')).body.state).toBe('draft');
    expect((await settle('sent')).body).toMatchObject({ state: 'sent' });
    expect(await tray()).toEqual([]);
    expect((await settle('sent')).status).toBe(409);
  });

  test('whoever asks for no more reminders gets none, and still gets invoices', async () => {
    const setup = await createFixture();
    await addLesson(setup.desk);
    await addLesson(setup.desk, { date: '2026-11-19' });
    await start(setup);
    app.clock.forward({ hours: 5 });
    await runReminders();
    await waitForMails(setup, 1);
    const header = setup.mails()[0]?.headers['list-unsubscribe'] ?? '';
    const token = /unsubscribe\/([\w-]+)/.exec(header)?.[1] ?? '';
    const stop = () => app.browser().call(messages.unsubscribe, { params: { token } });
    // As a mail program does it: a form, no cookie, no word of where it comes from.
    const oneClick = await fetch(`${app.url}/api/unsubscribe/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: setup.mails()[0]?.headers['list-unsubscribe-post'] ?? '',
    });
    expect(await oneClick.json()).toEqual({ tutorName: 'Ada Fenwick' });
    expect((await stop()).status).toBe(200);
    app.clock.forward({ days: 2 });
    await runReminders();
    await waitUntilSent(setup);
    expect(setup.mails()).toHaveLength(1);
    const wrong = await app.browser().call(messages.unsubscribe, { params: { token: 'u_x' } });
    expect(wrong.status).toBe(404);
  });

  test('a tutor whose address is not confirmed writes to nobody', async () => {
    const { browser } = await createTutor(app);
    const student = await newStudent(browser, { name: 'Maya', email: 'maya@students.example' });
    const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
    const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
    const { sessionId } = await addLesson(fixture);
    const told = await browser.call(messages.sendChangeNotice, {
      body: { kind: 'cancelled', sessionIds: [sessionId], channel: 'email' },
    });
    expect([told.status, told.error.message]).toEqual([
      409,
      'Please confirm your e-mail address first, then send it again.',
    ]);
  });
});

describe('clock changes', () => {
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
    'in %s the day before %s is reminded of at the same time on the wall',
    async (timeZone, date) => {
      const { reminderTime } = await import('./rules/reminder-time.ts');
      const { toInstants } = await import('../lessons/rules/local-to-utc.ts');
      const wall = { date, startTime: '16:00', endTime: '17:00' };
      const at = reminderTime(timeZone, { ...wall, ...toInstants(timeZone, wall) }, 1440);
      const shown = new Intl.DateTimeFormat('en-GB', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'short',
      }).format(at);
      const day = String(Number(date.slice(8)) - 1 || 31).padStart(2, '0');
      expect(shown).toContain('16:00');
      expect(shown.startsWith(day)).toBe(true);
    },
  );
});
