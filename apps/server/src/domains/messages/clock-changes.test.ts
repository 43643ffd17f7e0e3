import { reminders } from '@lessonbook/contract/reminders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
import { type House, openHouse } from '../../test/house.ts';
import { addLesson } from '../../test/teaching.ts';
import { confirmed } from '../../test/tutor.ts';
import { remindEveryone } from './service/reminders.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());

/**
 * The clocks change in the night before each of these lessons at 16:00. The reminder is due at 16:00 on the wall the day
 * before; the instants were worked out by hand from the offset that holds on that day.
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

const carerIn = (zone: string): string =>
  `${zone.replaceAll(/\W/g, '').toLowerCase()}@families.example`;

async function openBook(zone: string, date: string): Promise<void> {
  const { browser } = await confirmed(house, { timeZone: zone });
  const student = await newStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: carerIn(zone),
  });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  await addLesson({ browser, studentId: student.id, subjectId: subject.id }, { date });
  await browser.call(reminders.startReminders);
}

test('[PROD-11] in ten zones, the day before the clocks change, reminders go out at the same time on the wall', async () => {
  for (const [zone, date] of ZONES) await openBook(zone, date);
  const got = (zone: string) =>
    house.mailbox.mails().filter((mail) => mail.to.includes(carerIn(zone)));
  for (const [zone, , due] of ZONES) {
    house.clock.set(new Date(Date.parse(due) - 60_000).toISOString());
    await remindEveryone(house.context);
    expect(got(zone), `${zone}, a minute early`).toEqual([]);
    house.clock.set(due);
    await remindEveryone(house.context);
    await house.mailbox.waitFor((mail) => mail.to.includes(carerIn(zone)));
    expect(got(zone)[0]?.subject).toBe('Tomorrow: Maya 4:00 pm');
  }
  expect(ZONES.map(([zone]) => got(zone).length)).toEqual(ZONES.map(() => 1));
});
