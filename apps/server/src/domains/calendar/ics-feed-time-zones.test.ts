import { addDaysToDate, weekday } from '@lessonbook/contract/dates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFeedPath, parseIcs } from '../../test/ics-reader.ts';
import { addLesson, weekly } from '../../test/lesson-fixture.ts';
import { insertTutorFixture } from '../../test/model/insert-tutor-fixture.ts';
import { intlOffsets, intlZone } from '../../test/model/time-zones/intl-offsets.ts';
import type { OffsetTransition } from '../../test/model/time-zones/tzdata-file.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * Covers a year of lessons around DST transitions in ten time zones. When the feed is parsed with a third-party library,
 * every event must start at the same instant as its session.
 */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/** For zones that have abolished DST, the date is in a year when they still had it. */
const ZONES: [zone: string, today: string, changes: number][] = [
  ['Europe/London', '2026-09-01', 2],
  ['America/New_York', '2026-09-01', 2],
  ['Australia/Sydney', '2026-09-01', 2],
  ['Asia/Kolkata', '2026-09-01', 0],
  ['America/Sao_Paulo', '2018-09-01', 2],
  ['Africa/Casablanca', '2024-09-01', 2],
  ['Australia/Lord_Howe', '2026-09-01', 2],
  ['Pacific/Apia', '2020-08-01', 2],
  ['Europe/Dublin', '2026-09-01', 2],
  ['Asia/Tehran', '2021-08-01', 2],
];

/** Every half hour of the night. Lessons last longer than half an hour, so some of them span a transition. */
const START_TIMES = ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30'];
const LESSON_MINUTES = 45;

const plusMinutes = (time: string, minutes: number): string => {
  const total = Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) + minutes;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
};

/** Lessons at night and late in the evening on every weekday that has a transition, and one on another weekday. */
function lessonSlots(transitions: readonly OffsetTransition[], today: string) {
  const transitionWeekdays = new Set(
    transitions.flatMap(({ at, before, after }) =>
      [before, after].map((offset) =>
        weekday(new Date((at + offset) * 1000).toISOString().slice(0, 10)),
      ),
    ),
  );
  const firstDateOn = (day: number) => addDaysToDate(today, (day - weekday(today) + 7) % 7);
  return [
    ...[...transitionWeekdays].flatMap((day) => [
      ...START_TIMES.map((start) => ({
        date: firstDateOn(day),
        start,
        end: plusMinutes(start, LESSON_MINUTES),
      })),
      { date: firstDateOn(day), start: '22:45', end: '23:59' },
    ]),
    { date: firstDateOn(3), start: '16:00', end: '17:00' },
  ];
}

describe('the feed has the correct instants for a year of lessons in', () => {
  test.each(ZONES)('%s', async (zone, today, expected) => {
    app.clock.set(`${today}T12:00:00Z`);
    const from = Date.parse(`${today}T00:00:00Z`) / 1000;
    const { transitions } = intlZone(zone, from, from + 364 * 86_400);
    expect(transitions).toHaveLength(expected);

    const tutor = await insertTutorFixture(app, zone);
    const fixture = { browser: tutor.browser, studentId: 1, subjectId: 1 };
    for (const { date, start, end } of lessonSlots(transitions, today)) {
      const when = { date, startTime: start, endTime: end, acceptOverlaps: true };
      await addLesson(fixture, weekly({ ...when, recurringEndDate: null }));
    }
    const file = await app.browser().send('GET', await getFeedPath(tutor.browser));
    const parsed = parseIcs(file.body as string);
    const sessions = await app.admin.query<{ uid: string; starts_at: Date; ends_at: Date }>(
      `select public_id || '@127.0.0.1' as uid, starts_at, ends_at from sessions where tutor_id = $1`,
      [tutor.tutorId],
    );
    expect(sessions.rows.length).toBeGreaterThan(expected === 0 ? 50 : 450);
    expect(parsed.zones).toEqual([zone]);

    const formatTimes = (uid: string, start: Date, end: Date) =>
      `${uid} ${start.toISOString()} ${end.toISOString()}`;
    const expectedTimes = sessions.rows.map((row) =>
      formatTimes(row.uid, row.starts_at, row.ends_at),
    );
    const feedTimes = parsed.events.map((event) => formatTimes(event.uid, event.start, event.end));
    expect(feedTimes.toSorted()).toEqual(expectedTimes.toSorted());

    // Calendar apps that use their own zone data must get the same times, so the text must be the local time.
    const offsetAt = intlOffsets(zone);
    for (const { start, rawStart, zone: zoneName } of parsed.events) {
      const seconds = start.getTime() / 1000;
      const local = zoneName === null ? seconds : seconds + offsetAt(seconds);
      expect(rawStart.slice(0, 19)).toBe(new Date(local * 1000).toISOString().slice(0, 19));
    }

    // Only ambiguous local times, on nights when the clocks go back, are written in UTC.
    const backwardTransitions = transitions.filter(({ before, after }) => after < before);
    const utcEvents = parsed.events.filter((event) => event.zone === null);
    expect(utcEvents.length > 0).toBe(backwardTransitions.length > 0);
    for (const { start } of utcEvents) {
      const hours = backwardTransitions.map(
        ({ at }) => Math.abs(at - start.getTime() / 1000) / 3600,
      );
      expect(Math.min(...hours)).toBeLessThan(3);
    }
  });
});
