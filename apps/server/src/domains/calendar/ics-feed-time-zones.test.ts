import { plusDays, weekday } from '@lessonbook/contract/dates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFeedPath, parseIcs } from '../../test/ics-reader.ts';
import { addLesson, weekly } from '../../test/lesson-fixture.ts';
import { createFastFixture } from '../../test/model/fast-fixture.ts';
import { intlOffsets, intlZone } from '../../test/model/time-zones/intl-offsets.ts';
import type { ClockChange } from '../../test/model/time-zones/tzdata-file.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * A year of lessons at the hours at which clocks are changed, in ten zones: read by somebody else's library, every lesson
 * is at the instant that the book has.
 */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/** Years in which the clocks were changed there, where they are not any more. */
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

/** Half-hours of the night, longer than that, so that a lesson begins or ends on either side of every change. */
const STARTS = ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30'];
const LESSON_MINUTES = 45;

const plusMinutes = (time: string, minutes: number): string => {
  const total = Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) + minutes;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
};

/** Every weekday on which the clocks change, the evening before, and one in the middle of the week. */
function weeksOf(changes: readonly ClockChange[], today: string) {
  const nights = new Set(
    changes.flatMap(({ at, before, after }) =>
      [before, after].map((ahead) =>
        weekday(new Date((at + ahead) * 1000).toISOString().slice(0, 10)),
      ),
    ),
  );
  const first = (day: number) => plusDays(today, (day - weekday(today) + 7) % 7);
  return [
    ...[...nights].flatMap((day) => [
      ...STARTS.map((start) => ({
        date: first(day),
        start,
        end: plusMinutes(start, LESSON_MINUTES),
      })),
      { date: first(day), start: '22:45', end: '23:59' },
    ]),
    { date: first(3), start: '16:00', end: '17:00' },
  ];
}

describe('a year of lessons in', () => {
  test.each(ZONES)('%s', async (zone, today, expected) => {
    app.clock.set(`${today}T12:00:00Z`);
    const from = Date.parse(`${today}T00:00:00Z`) / 1000;
    const { changes } = intlZone(zone, from, from + 364 * 86_400);
    expect(changes).toHaveLength(expected);

    const book = await createFastFixture(app, zone);
    const fixture = { browser: book.browser, studentId: 1, subjectId: 1 };
    for (const { date, start, end } of weeksOf(changes, today)) {
      const when = { date, startTime: start, endTime: end, acceptOverlaps: true };
      await addLesson(fixture, weekly({ ...when, recurringEndDate: null }));
    }
    const file = await app.browser().send('GET', await getFeedPath(book.browser));
    const reading = parseIcs(file.body as string);
    const sessions = await app.admin.query<{ uid: string; starts_at: Date; ends_at: Date }>(
      `select public_id || '@127.0.0.1' as uid, starts_at, ends_at from sessions where tutor_id = $1`,
      [book.tutorId],
    );
    expect(sessions.rows.length).toBeGreaterThan(expected === 0 ? 50 : 450);
    expect(reading.zones).toEqual([zone]);

    const times = (uid: string, start: Date, end: Date) =>
      `${uid} ${start.toISOString()} ${end.toISOString()}`;
    const inBook = sessions.rows.map((row) => times(row.uid, row.starts_at, row.ends_at));
    const inFeed = reading.events.map((one) => times(one.uid, one.start, one.end));
    expect(inFeed.toSorted()).toEqual(inBook.toSorted());

    // Programs that know the zone by its name must see the same: the text is what the wall there shows.
    const ahead = intlOffsets(zone);
    for (const { start, rawStart, zone: named } of reading.events) {
      const seconds = start.getTime() / 1000;
      const shown = named === null ? seconds : seconds + ahead(seconds);
      expect(rawStart.slice(0, 19)).toBe(new Date(shown * 1000).toISOString().slice(0, 19));
    }

    // In UTC stands only what the wall shows twice: the nights on which clocks go back.
    const back = changes.filter(({ before, after }) => after < before);
    const inUtc = reading.events.filter((one) => one.zone === null);
    expect(inUtc.length > 0).toBe(back.length > 0);
    for (const { start } of inUtc) {
      const hours = back.map(({ at }) => Math.abs(at - start.getTime() / 1000) / 3600);
      expect(Math.min(...hours)).toBeLessThan(3);
    }
  });
});
