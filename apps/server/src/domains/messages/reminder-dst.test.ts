import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/**
 * Each lesson is at 16:00 on the day of a DST transition. The reminder is due at 16:00 local time on the day before. The
 * expected UTC times were worked out by hand from the UTC offset on that day.
 */
const ZONES: readonly [zone: string, lessonOn: string, due: string][] = [
  ['America/New_York', '2027-03-14', '2027-03-13T21:00:00Z'],
  ['America/Los_Angeles', '2027-03-14', '2027-03-14T00:00:00Z'],
  ['Asia/Jerusalem', '2027-03-26', '2027-03-25T14:00:00Z'],
  ['Europe/Berlin', '2027-03-28', '2027-03-27T15:00:00Z'],
  ['Europe/London', '2027-03-28', '2027-03-27T16:00:00Z'],
  ['Pacific/Auckland', '2027-04-04', '2027-04-03T03:00:00Z'],
  ['Australia/Sydney', '2027-04-04', '2027-04-03T05:00:00Z'],
  ['America/Santiago', '2027-04-04', '2027-04-03T19:00:00Z'],
  ['Africa/Cairo', '2027-04-30', '2027-04-29T14:00:00Z'],
  ['Australia/Lord_Howe', '2027-10-03', '2027-10-02T05:30:00Z'],
];

const toCarerEmail = (zone: string): string =>
  `${zone.replaceAll(/\W/g, '').toLowerCase()}@families.example`;

async function createTutorInZone(zone: string, date: string): Promise<void> {
  const { browser } = await createTutorWhoCanEmailFamilies(app, { timeZone: zone });
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: toCarerEmail(zone),
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  await addLesson({ browser, studentId: student.id, subjectId: subject.id }, { date });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
}

test('[PROD-11] reminders sent the day before a DST transition keep the local time of the lesson, in ten time zones', async () => {
  for (const [zone, date] of ZONES) await createTutorInZone(zone, date);
  const emailsIn = (zone: string) =>
    app.mailbox.emails().filter((mail) => mail.to.includes(toCarerEmail(zone)));
  for (const [zone, , due] of ZONES) {
    app.clock.set(new Date(Date.parse(due) - 60_000).toISOString());
    // The tutor must stay active, because reminders stop after three weeks of inactivity.
    await app.admin.query('update login_directory set last_active_at = $1', [due]);
    await sendDueReminders(app.context);
    expect(emailsIn(zone), `${zone}, a minute early`).toEqual([]);
    app.clock.set(due);
    await sendDueReminders(app.context);
    await app.mailbox.waitFor((mail) => mail.to.includes(toCarerEmail(zone)));
    expect(emailsIn(zone)[0]?.subject).toBe('Lesson reminder: Tomorrow, Maya 4pm');
  }
  expect(ZONES.map(([zone]) => emailsIn(zone).length)).toEqual(ZONES.map(() => 1));
});
