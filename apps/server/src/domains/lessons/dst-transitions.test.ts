import { occurrenceAt } from '@lessonbook/contract/recurrence';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLesson, fetchSessionsBetween } from '../../test/lesson-fixture.ts';
import { connectAsMaintenance, insertTutorFixture } from '../../test/model/insert-tutor-fixture.ts';
import { firstDifference, intlZone } from '../../test/model/time-zones/intl-offsets.ts';
import { readZone, type Zone, zoneDataVersion } from '../../test/model/time-zones/tzdata-file.ts';
import {
  instantOfLocal,
  localDate,
  localSeconds,
  minuteText,
  occurrenceDate,
  offsetAt,
  type RecurrencePattern,
} from '../../test/model/time-zones/zone-oracle.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { toInstants } from './rules/local-to-utc.ts';
import { occurrencesBetween } from './rules/plan-series-change.ts';

/*
 * Every IANA zone, every clock change from 2020 to 2040 and every pattern, with start times before, during and after the
 * change. The oracle reads the system's zone files; see tzdata-file.ts.
 */
/** The other monthly patterns differ in their dates only, which `recurrence.test.ts` checks. */
const PATTERNS = ['weekly', 'biweekly', 'monthly'] as const;
const FROM_YEAR = 2020;
const TO_YEAR = 2040;
const FROM = Date.UTC(FROM_YEAR, 0, 1) / 1000;
const TO = Date.UTC(TO_YEAR + 1, 0, 1) / 1000;
const DAY = 86_400;
/** Series extend beyond the first and last clock changes. */
const MARGIN = 120 * DAY;
const LESSON_MINUTES = 45;
const MINUTES_PER_DAY = 24 * 60;

const log = (line: string) => process.stdout.write(`[dst] ${line}\n`);

interface LocalStart {
  date: string;
  minute: number;
}

/** Start times around one clock change: before it, at its boundaries, during it, and at other times that day. */
function startsAround(localBefore: number, localAfter: number): LocalStart[] {
  const [from, to] = [Math.min(localBefore, localAfter), Math.max(localBefore, localAfter)];
  const localTimes = [from - 60, from, Math.floor((from + to) / 120) * 60, to - 60, to];
  const nearChange = localTimes.map((local) => ({
    date: localDate(local),
    minute: Math.floor((local % DAY) / 60),
  }));
  const sameDay = [0, 16 * 60, 23 * 60 + 14, 23 * 60 + 58].map((minute) => ({
    date: localDate(from),
    minute,
  }));
  const all = [...nearChange, ...sameDay].filter(({ minute }) => minute < MINUTES_PER_DAY - 1);
  return [...new Map(all.map((start) => [`${start.date} ${start.minute}`, start])).values()];
}

/** Start times for a zone without clock changes. */
const startsWithoutChange: LocalStart[] = ['2020-02-29', '2031-03-30', '2040-10-28'].flatMap(
  (date) => [0, 150, 960, MINUTES_PER_DAY - 2].map((minute) => ({ date, minute })),
);

const endMinute = (minute: number) => Math.min(minute + LESSON_MINUTES, MINUTES_PER_DAY - 1);

class CheckCounts {
  changes = 0;
  series = 0;
  sessions = 0;
  readonly errors: string[] = [];
  /** Sessions in the current zone that have already been checked with a different pattern. */
  seen = new Set<string>();
}

/** Checks the dates and instants of a series of three sessions with the given date in the middle. */
function checkSeries(
  zone: Zone,
  { date, minute }: LocalStart,
  pattern: RecurrencePattern,
  counts: CheckCounts,
): void {
  const previous = occurrenceDate(pattern, date, -1);
  // Stepping back from the 31st to a shorter month is not reversible. The series then starts on the date itself.
  const first = occurrenceDate(pattern, previous, 1) === date ? previous : date;
  const expected = [0, 1, 2].map((step) => occurrenceDate(pattern, first, step));
  const actual = occurrencesBetween(pattern, first, first, expected[2] as string);
  counts.series += 1;
  if (actual.join() !== expected.join() || occurrenceAt(pattern, first, 2) !== expected[2]) {
    counts.errors.push(`${pattern} from ${first}: ${actual.join()} instead of ${expected.join()}`);
  }
  for (const day of expected) checkSession(zone, day, minute, counts);
}

function checkSession(zone: Zone, date: string, minute: number, counts: CheckCounts): void {
  const key = `${date} ${minute}`;
  if (counts.seen.has(key)) return;
  counts.seen.add(key);
  const slot = { date, startTime: minuteText(minute), endTime: minuteText(endMinute(minute)) };
  const { startsAt, endsAt } = toInstants(zone.name, slot);
  const start = instantOfLocal(zone, localSeconds(date, minute));
  const end = start + (endMinute(minute) - minute) * 60;
  counts.sessions += 1;
  if (startsAt.getTime() === start * 1000 && endsAt.getTime() === end * 1000) return;
  const text = (seconds: number) => new Date(seconds * 1000).toISOString();
  counts.errors.push(
    `${zone.name} ${date} ${slot.startTime}–${slot.endTime}: ${startsAt.toISOString()}–${endsAt.toISOString()} instead of ${text(start)}–${text(end)}`,
  );
}

function checkZone(zone: Zone, counts: CheckCounts): void {
  counts.seen = new Set();
  const changes = zone.transitions.filter(({ at }) => at >= FROM && at < TO);
  const starts = changes.flatMap(({ at, before, after }) => startsAround(at + before, at + after));
  for (const start of changes.length === 0 ? startsWithoutChange : starts) {
    for (const pattern of PATTERNS) checkSeries(zone, start, pattern, counts);
  }
  counts.changes += changes.length;
}

describe('every zone and every clock change from 2020 to 2040', () => {
  const node = process.versions['tz'] ?? 'unknown';
  const names = Intl.supportedValuesOf('timeZone');

  test('every session has the expected instants, and none is missing or duplicated', {
    timeout: 900_000,
  }, () => {
    const system = zoneDataVersion();
    log(`zone data: Node ${node}, system ${system}`);
    const counts = new CheckCounts();
    const unknown: string[] = [];
    const differing: string[] = [];
    for (const name of names) {
      const zone = readZone(name, FROM_YEAR - 1, TO_YEAR + 1);
      if (!zone) unknown.push(name);
      const difference = zone && firstDifference(zone, FROM, TO);
      if (difference) differing.push(difference);
      // The server uses Node's data. If the system's data differs, the clock changes come from Intl, not the files.
      const reference = zone && !difference ? zone : intlZone(name, FROM - MARGIN, TO + MARGIN);
      checkZone(reference, counts);
    }
    log(
      `${names.length} zones, ${counts.changes} changes, ${counts.series} series, ${counts.sessions} different sessions`,
    );
    log(`zones whose data differ between the two releases: ${differing.length || 'none'}`);
    for (const line of differing) log(`  ${line}`);
    log(`zones unknown to the system: ${unknown.join(', ') || 'none'}`);
    expect(counts.errors.slice(0, 10)).toEqual([]);
    expect(counts.changes).toBeGreaterThan(3_000);
    // A tzdata release changes only a few zones. More differences would mean that the oracle misreads the files.
    const maxDifferences = node === system ? 0 : 20;
    expect(differing.length + unknown.length).toBeLessThanOrEqual(maxDifferences);
  });

  test('the oracle returns the correct instants for known clock changes', () => {
    const london = readZone('Europe/London', FROM_YEAR, TO_YEAR) as Zone;
    const at = (text: string) => Date.parse(text) / 1000;
    // 01:30 on the last Sunday in March does not exist, so it becomes 02:30 summer time.
    expect(instantOfLocal(london, at('2027-03-28T01:30Z'))).toBe(at('2027-03-28T01:30Z'));
    // 01:30 on the last Sunday in October occurs twice; the first is still in summer time.
    expect(instantOfLocal(london, at('2027-10-31T01:30Z'))).toBe(at('2027-10-31T00:30Z'));
    const lordHowe = readZone('Australia/Lord_Howe', FROM_YEAR, TO_YEAR) as Zone;
    expect(offsetAt(lordHowe, at('2039-01-15T00:00Z'))).toBe(11 * 3600);
    expect(offsetAt(lordHowe, at('2039-07-15T00:00Z'))).toBe(10.5 * 3600);
    const santiago = readZone('America/Santiago', FROM_YEAR, TO_YEAR) as Zone;
    // There is no 00:00 on that Sunday.
    expect(instantOfLocal(santiago, at('2026-09-06T00:00Z'))).toBe(at('2026-09-06T04:00Z'));
  });
});

describe('through the API, across clock changes in the following year', () => {
  let app: TestApp;
  let adminDb: Awaited<ReturnType<typeof connectAsMaintenance>>;
  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
    adminDb = await connectAsMaintenance(app);
  });
  afterAll(async () => {
    await adminDb.end();
    await app.close();
  });

  /** Reads the zone's file, or uses Node's own data if the two tzdata releases differ. */
  function loadZone(name: string): Zone {
    const zone = readZone(name, FROM_YEAR - 1, TO_YEAR + 1);
    return zone && !firstDifference(zone, FROM, TO) ? zone : intlZone(name, FROM, TO);
  }

  test.each([
    ['Europe/London', '2026-11-22', ['01:30', '16:00']],
    ['America/New_York', '2026-11-22', ['01:15', '02:30', '16:00']],
    ['Australia/Lord_Howe', '2026-11-22', ['01:45', '02:15', '16:00']],
    ['Africa/Casablanca', '2026-11-22', ['02:30', '16:00']],
    ['America/Santiago', '2026-11-21', ['23:10', '16:00']],
    ['America/Santiago', '2026-11-22', ['00:00', '16:00']],
  ])('%s from %s: each session keeps its local time', async (name, date, starts) => {
    const { tutorId, browser, studentIds, subjectIds } = await insertTutorFixture(app, name);
    const fixture = { browser, studentId: studentIds[0] ?? 0, subjectId: subjectIds[0] ?? 0 };
    for (const startTime of starts) {
      await addLesson(fixture, {
        date,
        startTime,
        endTime: minuteText(toMinute(startTime) + LESSON_MINUTES),
        isRecurring: true,
        recurringEndDate: occurrenceDate('weekly', date, 51),
        acceptOverlaps: true,
      });
    }
    const { rows } = await adminDb.query<{ date: string; start: string; from: Date; to: Date }>(
      'select date, start_time as start, starts_at as from, ends_at as to from sessions where tutor_id = $1 order by id',
      [tutorId],
    );
    const zone = loadZone(name);
    const expected = starts.flatMap((start) =>
      Array.from({ length: 52 }, (_, step) => {
        const day = occurrenceDate('weekly', date, step);
        const from = instantOfLocal(zone, localSeconds(day, toMinute(start))) * 1000;
        return {
          date: day,
          start,
          from: new Date(from),
          to: new Date(from + LESSON_MINUTES * 60_000),
        };
      }),
    );
    expect(rows).toEqual(expected);
    // The sessions span a clock change, if Node's tzdata has one: Morocco abolished clock changes in 2026.
    const offsets = new Set(rows.map((row) => offsetAt(zone, row.from.getTime() / 1000)));
    expect(offsets.size).toBe(name === 'Africa/Casablanca' ? offsets.size : 2);
    const shown = await fetchSessionsBetween(fixture, '2027-03-01', '2027-04-30');
    expect(new Set(shown.map((row) => row.startTime))).toEqual(new Set(starts));
  });
});

const toMinute = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
