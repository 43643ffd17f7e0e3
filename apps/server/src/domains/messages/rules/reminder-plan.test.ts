import { expect, test } from 'vitest';
import { planReminders, type UpcomingLesson } from './reminder-plan.ts';

const defaults = { leadMinutes: 1440, channels: ['email'], recipient: 'carer' };
const lesson = (overrides: Partial<UpcomingLesson> = {}): UpcomingLesson => ({
  id: 1,
  rootSessionId: 1,
  rootPublicId: 'p',
  studentId: 1,
  studentName: 'Maya Okafor',
  studentEmail: 'maya@example.com',
  studentPhone: null,
  carerId: 7,
  carerName: 'Ngozi Okafor',
  carerEmail: 'ngozi@example.com',
  carerPhone: '+447700900001',
  timeZone: null,
  familyId: 3,
  subjectName: 'Maths',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
  place: null,
  startsAt: new Date('2026-11-17T16:00:00Z'),
  endsAt: new Date('2026-11-17T17:00:00Z'),
  studentPreferences: null,
  ...overrides,
});
const plan = (rows: UpcomingLesson[], preferences = defaults) =>
  planReminders(rows, preferences, 'Europe/London');

test('plans one reminder per carer, day and channel, timed for the earliest lesson', () => {
  const later = {
    id: 2,
    studentId: 2,
    studentName: 'Leo Okafor',
    startTime: '17:00',
    startsAt: new Date('2026-11-17T17:00:00Z'),
  };
  const other = { id: 3, date: '2026-11-18', startsAt: new Date('2026-11-18T16:00:00Z') };
  const planned = plan([lesson(), lesson(later), lesson(other)]);
  expect(
    planned.map(({ dedupeKey, at, lessons }) => [dedupeKey, at.toISOString(), lessons.length]),
  ).toEqual([
    ['reminder c7 2026-11-17 email', '2026-11-16T16:00:00.000Z', 2],
    ['reminder c7 2026-11-18 email', '2026-11-17T16:00:00.000Z', 1],
  ]);
});

test("a student's settings override the lead time and recipients, or turn reminders off", () => {
  const studentPreferences = {
    leadMinutes: 60,
    channels: ['email', 'whatsapp'],
    recipient: 'both',
  };
  expect(
    plan([lesson({ studentPreferences })]).map(({ dedupeKey, address }) => [dedupeKey, address]),
  ).toEqual([
    ['reminder c7 2026-11-17 email', 'ngozi@example.com'],
    ['reminder c7 2026-11-17 whatsapp', '+447700900001'],
    ['reminder s1 2026-11-17 email', 'maya@example.com'],
  ]);
  expect(
    plan([lesson({ studentPreferences: { ...studentPreferences, leadMinutes: null } })]),
  ).toEqual([]);
});

test('plans the reminder for the student if there is no carer, and skips people without an address', () => {
  const withoutCarer = { carerId: null, carerName: null, carerEmail: null, carerPhone: null };
  expect(plan([lesson(withoutCarer)]).map(({ person }) => person.key)).toEqual(['s1']);
  expect(plan([lesson({ carerEmail: null })])).toEqual([]);
});

test('F84 a reminder is moved out of the quiet hours of the recipient', () => {
  const preferences = { ...defaults, leadMinutes: 720 };
  const at = (timeZone: string | null) =>
    plan(
      [lesson({ startTime: '16:30', startsAt: new Date('2026-11-17T16:30:00Z'), timeZone })],
      preferences,
    )[0]?.at.toISOString();
  expect(at(null)).toBe('2026-11-17T07:00:00.000Z');
  // 4:30am in London is 8:30am in Dubai.
  expect(at('Asia/Dubai')).toBe('2026-11-17T04:30:00.000Z');
});
