import { accounts } from '@lessonbook/contract/accounts';
import { activity } from '@lessonbook/contract/activity';
import { ownData } from '@lessonbook/contract/own-data';
import { reminders } from '@lessonbook/contract/reminders';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
import { type CalendarHouse, consent, googleUser, openCalendarHouse } from '../../test/calendar.ts';
import { type House, openHouse } from '../../test/house.ts';
import { openFamily, paid, teach } from '../../test/money.ts';
import { addLesson } from '../../test/teaching.ts';
import { everythingOf } from '../../test/tenants.ts';
import { confirmed, PASSWORD, signedIn } from '../../test/tutor.ts';
import { tutorIdOf } from '../../test/tutor-id.ts';
import { remindFamilies } from '../messages/service/reminders.ts';
import { deleteDueAccounts } from './service/deletion.ts';

let calendarHouse: CalendarHouse;
let house: House;
beforeAll(async () => {
  calendarHouse = await openCalendarHouse();
  house = calendarHouse.house;
});
beforeEach(() => house.restartClock());
afterAll(() => calendarHouse.close());

const ask = (browser: Awaited<ReturnType<typeof signedIn>>['browser'], proof = PASSWORD) =>
  browser.call(ownData.askForDeletion, { body: { proof } });

const rowsLeft = async (tutorId: string): Promise<string[]> => {
  const client = await house.admin.connect();
  const rows = await everythingOf(client, tutorId);
  client.release();
  return Object.keys(rows).filter((table) => rows[table]?.length !== 0);
};

test('it wants the password, gives 14 days, says so by mail, and can be called off', async () => {
  const { browser, input } = await signedIn(house);
  const wrong = await ask(browser, 'not my password');
  expect([wrong.status, wrong.error.fields]).toEqual([400, { proof: 'Wrong password' }]);
  expect((await ask(browser)).body).toEqual({
    deletesAt: '2026-11-30T12:00:00.000Z',
    proof: 'password',
  });
  const mail = await house.mailbox.waitFor(
    (one) => one.to.includes(input.email) && /will be deleted/.test(one.subject ?? ''),
  );
  expect(mail.text).toContain('On 30 November 2026 everything in it is removed for good');
  // Asking again changes nothing.
  house.clock.forward({ days: 3 });
  expect((await ask(browser)).body.deletesAt).toBe('2026-11-30T12:00:00.000Z');
  house.clock.forward({ days: 10, hours: 23 });
  await deleteDueAccounts(house.context);
  expect((await browser.call(accounts.me)).body.deletesAt).toBe('2026-11-30T12:00:00.000Z');
  expect((await browser.call(ownData.keepAccount)).body.deletesAt).toBeNull();
  house.clock.forward({ days: 2 });
  await deleteDueAccounts(house.context);
  expect((await browser.call(accounts.me)).status).toBe(200);
  const { entries } = (await browser.call(activity.listActivity, { query: {} })).body;
  expect(entries.map(({ act }) => act).slice(0, 2)).toEqual([
    'deletion_cancelled',
    'deletion_asked',
  ]);
});

test('an account without a password is proven by its username', async () => {
  const { browser, input } = await signedIn(house);
  await house.context.db.global
    .updateTable('login_directory')
    .set({ password_hash: null })
    .where('username', '=', input.username)
    .execute();
  expect((await browser.call(ownData.readDeletion)).body.proof).toBe('username');
  expect((await ask(browser, 'somebody')).error.message).toBe('That is not your username');
  expect((await ask(browser, ` ${input.username.toUpperCase()} `)).status).toBe(200);
});

test('guessing the password ends soon', async () => {
  const strict = await openHouse();
  try {
    const { browser } = await signedIn(strict);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await ask(browser, 'a guess')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  } finally {
    await strict.close();
  }
});

test('[V7.4.2] after the days of grace nothing of the tutor is left, Google is told, and the last mail is out', async () => {
  const { google } = calendarHouse;
  const { desk, familyId, children } = await openFamily(house);
  const { browser } = desk;
  const user = await googleUser(browser);
  expect(await consent(google, browser, { user })).toContain('calendar=connected');
  await teach(desk, children[0] as number, '2026-11-10');
  await paid(browser, familyId, 2000);
  await calendarHouse.quiet();
  const me = (await browser.call(accounts.me)).body;
  const tutorId = await tutorIdOf(house, me as never);
  const bystander = await openFamily(house);
  const other = await tutorIdOf(
    house,
    (await bystander.desk.browser.call(accounts.me)).body as never,
  );
  const before = await rowsLeft(other);
  expect(await google.control.books(user)).toMatchObject([{ connected: true }]);
  expect((await rowsLeft(tutorId)).length).toBeGreaterThan(15);
  await ask(browser);
  house.clock.forward({ days: 14 });
  expect((await browser.call(ownData.keepAccount)).error.message).toMatch(/too late/);
  await Promise.all([deleteDueAccounts(house.context), deleteDueAccounts(house.context)]);
  expect(await rowsLeft(tutorId)).toEqual([]);
  expect(await rowsLeft(other)).toEqual(before);
  const jobs = await house.admin.query(
    `select 1 from jobs.job where data::text like '%' || $1 || '%'`,
    [tutorId],
  );
  expect(jobs.rows).toEqual([]);
  expect((await browser.call(accounts.me)).status).toBe(401);
  const goodbye = await house.mailbox.waitFor(
    (one) => one.to.includes(me.email) && /was deleted/.test(one.subject ?? ''),
  );
  expect(goodbye.text).toContain('the last mail from us');
  expect(await google.control.books(user)).toMatchObject([{ connected: false }]);
  // The name is free again.
  const again = await house.browser().call(accounts.signup, {
    body: { name: 'New', email: me.email, username: me.username, password: PASSWORD },
  });
  expect(again.status).toBe(201);
});

test('while it waits, nothing goes to families by itself; after it was kept, it does', async () => {
  const { browser, input } = await confirmed(house);
  const tutorId = await tutorIdOf(house, input);
  const student = await newStudent(browser, { name: 'Maya Okafor', email: 'maya@family.example' });
  const subject = await newSubject(browser);
  await addLesson({ browser, studentId: student.id, subjectId: subject.id });
  await browser.call(reminders.startReminders);
  await ask(browser);
  house.clock.set('2026-11-16T16:30:00Z');
  const sent = () =>
    house.admin
      .query(`select 1 from messages where tutor_id = $1 and kind = 'lesson_reminder'`, [tutorId])
      .then(({ rows }) => rows.length);
  await remindFamilies(house.context, tutorId);
  expect(await sent()).toBe(0);
  await browser.call(ownData.keepAccount);
  await remindFamilies(house.context, tutorId);
  expect(await sent()).toBe(1);
});

test('an erased student leaves the tutor’s calendar at Google as well', async () => {
  const { google } = calendarHouse;
  const { browser } = await signedIn(house);
  const user = await googleUser(browser);
  await consent(google, browser, { user });
  const student = await newStudent(browser, { name: 'Quillerased Person' });
  const subject = await newSubject(browser);
  await addLesson({ browser, studentId: student.id, subjectId: subject.id });
  await calendarHouse.quiet();
  const events = async () => JSON.stringify(await google.control.books(user));
  expect(await events()).toContain('Quillerased');
  const body = { kind: 'student', id: student.id, name: student.name } as const;
  expect((await browser.call(ownData.erasePerson, { body })).status).toBe(200);
  await calendarHouse.quiet();
  await expect.poll(() => liveEvents(user)).toBe(0);
});

const liveEvents = async (user: string): Promise<number> => {
  const [books] = await calendarHouse.google.control.books(user);
  return (books?.calendars ?? [])
    .flatMap(({ events }) => events)
    .filter(({ status }) => status !== 'cancelled').length;
};
