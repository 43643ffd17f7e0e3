import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Answer, Browser } from '../browser.ts';
import type { House } from '../house.ts';
import { type Book, quickBook } from './quick-book.ts';
import { Random } from './random.ts';

/* Many browsers of one tutor that all want the same day. */

const CLIENTS = 64;
const DAY = '2026-11-20';
const NEXT_WEEK = '2026-11-27';

export interface Crowd {
  seed: number;
  /** How often each browser does something. */
  rounds: number;
  /** How many of the requests say that overlaps are accepted, from 0 to 1. */
  accepting: number;
  /**
   * Only moves of whole series, each browser its own, all to the same hour: an act that takes no new ids. Those that do
   * are also kept apart by the row in which ids are counted, whatever becomes of the tutor's lock.
   */
  movesOnly?: boolean;
}

export interface Outcome {
  /** How often each status was answered. */
  statuses: Record<string, number>;
  /** How often somebody was asked to come again. */
  waits: number;
  /** Overlapping scheduled sessions that nobody accepted. */
  unaccepted: string[];
  /** Accepted pairs that no longer overlap. */
  stale: string[];
  /** Keys that made more than one lesson, or one for each answer that said so and none otherwise. */
  repeats: string[];
}

interface Series {
  lessonId: number;
  sessionId: number;
}

/** What all browsers know of the day, as they find it out. */
interface Day {
  book: Book;
  series: Series[];
  sessions: number[];
  statuses: Map<number, number>;
  waits: number;
  /** Title of each lesson that was asked for with a key, and whether any answer said it was made. */
  wanted: Map<string, boolean>;
}

export async function letLoose(house: House, inside: pg.Client, crowd: Crowd): Promise<Outcome> {
  const book = await quickBook(house, 'Europe/London');
  const day: Day = {
    book,
    series: [],
    sessions: [],
    statuses: new Map(),
    waits: 0,
    wanted: new Map(),
  };
  await furnish(day, crowd.movesOnly ? CLIENTS : 12);
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) =>
      client(day, book.another(), new Random(crowd.seed * 1000 + index), crowd, index),
    ),
  );
  return {
    statuses: Object.fromEntries([...day.statuses].toSorted(([a], [b]) => a - b)),
    waits: day.waits,
    ...(await look(inside, book.tutorId, day)),
  };
}

/** Series whose times can be moved as a whole, and sessions to move alone: none in the way of another. */
async function furnish(day: Day, howMany: number): Promise<void> {
  for (let index = 0; index < howMany; index++) {
    const minute = 4 * 60 + index * 5;
    const answer = await day.book.browser.send('POST', '/api/lessons', {
      ...lesson(day, `series ${index}`, clock(minute), clock(minute + 5)),
      isRecurring: true,
      recurringEndDate: NEXT_WEEK,
    });
    day.series.push(answer.body as Series);
  }
  for (let index = 0; index < 12; index++) {
    const minute = 21 * 60 + index * 10;
    const body = lesson(day, `single ${index}`, clock(minute), clock(minute + 10));
    const answer = await day.book.browser.send('POST', '/api/lessons', body);
    day.sessions.push((answer.body as Series).sessionId);
  }
}

const lesson = (day: Day, title: string, startTime: string, endTime: string) => ({
  studentId: day.book.studentIds[0],
  subjectId: day.book.subjectIds[0],
  title,
  date: DAY,
  startTime,
  endTime,
  fee: 30,
});

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

async function client(
  day: Day,
  browser: Browser,
  random: Random,
  crowd: Crowd,
  index: number,
): Promise<void> {
  for (let round = 0; round < crowd.rounds; round++) {
    const start = (crowd.movesOnly ? 72 : random.between(40, 72)) * 15;
    const times = {
      startTime: clock(start),
      endTime: clock(start + random.pick([30, 45, 60, 90])),
    };
    const acceptOverlaps = random.chance(crowd.accepting);
    const wish = { times, acceptOverlaps, name: `c${index}-${round}` };
    if (crowd.movesOnly) await move(day, browser, day.series[index] as Series, wish);
    else await random.pick(ALL)(day, browser, random, wish);
  }
}

interface Wish {
  times: { startTime: string; endTime: string };
  acceptOverlaps: boolean;
  name: string;
}

const PATIENCE = 40;

/**
 * Sends, and counts the answer. A machine that is too slow for the crowd says 503 and when to come again; a browser does
 * so, with the same key, and only one that is turned away for good counts as a fault.
 */
async function send(
  day: Day,
  browser: Browser,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await browser.send(method, path, body, headers);
    const again = Number(answer.headers.get('retry-after'));
    if (answer.status === 503 && again > 0 && attempt < PATIENCE) {
      day.waits += 1;
      await sleep(again * 1000);
      continue;
    }
    day.statuses.set(answer.status, (day.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }
}

/** Sent once, twice at the same moment, or again after the answer: with the same key it is one lesson. */
async function create(day: Day, browser: Browser, random: Random, wish: Wish): Promise<void> {
  const title = `wish ${wish.name}`;
  const body = {
    ...lesson(day, title, wish.times.startTime, wish.times.endTime),
    acceptOverlaps: wish.acceptOverlaps,
  };
  const headers = { 'idempotency-key': `key-${wish.name}` };
  const ask = () => send(day, browser, 'POST', '/api/lessons', body, headers);
  const answers = await Promise.all(Array.from({ length: random.between(1, 2) }, ask));
  if (random.chance(0.5)) answers.push(await ask());
  const made = answers.filter((answer) => answer.status === 201);
  day.wanted.set(title, made.length > 0);
  for (const answer of made) day.sessions.push((answer.body as Series).sessionId);
}

async function moveOne(day: Day, browser: Browser, random: Random, wish: Wish): Promise<void> {
  const id = random.pick(day.sessions);
  const body = { date: DAY, ...wish.times, acceptOverlaps: wish.acceptOverlaps };
  const headers = { 'idempotency-key': `key-${wish.name}` };
  const answers = await Promise.all(
    Array.from({ length: random.between(1, 2) }, () =>
      send(day, browser, 'POST', `/api/sessions/${id}/reschedule`, body, headers),
    ),
  );
  const moved = new Set(
    answers
      .filter((answer) => answer.status === 200)
      .map((answer) => (answer.body as { id: number }).id),
  );
  day.sessions.push(...moved);
}

const moveSeries = (day: Day, browser: Browser, random: Random, wish: Wish): Promise<void> =>
  move(day, browser, random.pick(day.series), wish);

async function move(day: Day, browser: Browser, series: Series, wish: Wish): Promise<void> {
  const { lessonId, sessionId } = series;
  const { startTime, endTime } = wish.times;
  await send(day, browser, 'PUT', `/api/lessons/${lessonId}`, {
    ...lesson(day, `moved ${wish.name}`, startTime, endTime),
    isRecurring: true,
    recurringEndDate: NEXT_WEEK,
    scope: 'all',
    sessionId,
    acceptOverlaps: wish.acceptOverlaps,
  });
}

async function cancelAndReopen(
  day: Day,
  browser: Browser,
  random: Random,
  { acceptOverlaps }: Wish,
): Promise<void> {
  const id = random.pick(day.sessions);
  await send(day, browser, 'POST', `/api/sessions/${id}/cancel`, { cancelledBy: 'tutor' });
  await send(day, browser, 'POST', `/api/sessions/${id}/reopen`, { acceptOverlaps });
}

const ALL = [create, create, moveOne, moveSeries, moveSeries, cancelAndReopen];

/** What the database says when the dust has settled. */
async function look(
  inside: pg.Client,
  tutorId: string,
  day: Day,
): Promise<Pick<Outcome, 'unaccepted' | 'stale' | 'repeats'>> {
  const unaccepted = await inside.query<{ pair: string }>(
    `select a.id || ' and ' || b.id as pair from sessions a
     join sessions b on b.tutor_id = a.tutor_id and b.id > a.id and b.status = 'scheduled'
       and b.starts_at < a.ends_at and b.ends_at > a.starts_at
     where a.tutor_id = $1 and a.status = 'scheduled' and not exists (
       select 1 from accepted_overlaps p
       where p.tutor_id = a.tutor_id and p.session_id = a.id and p.other_id = b.id)`,
    [tutorId],
  );
  const stale = await inside.query<{ pair: string }>(
    `select p.session_id || ' and ' || p.other_id as pair from accepted_overlaps p
     join sessions a on a.tutor_id = p.tutor_id and a.id = p.session_id
     join sessions b on b.tutor_id = p.tutor_id and b.id = p.other_id
     where p.tutor_id = $1 and not (a.status = 'scheduled' and b.status = 'scheduled'
       and b.starts_at < a.ends_at and b.ends_at > a.starts_at)`,
    [tutorId],
  );
  const lessons = await inside.query<{ title: string; count: string }>(
    `select title, count(*) from lessons where tutor_id = $1 and title like 'wish %' group by title`,
    [tutorId],
  );
  const counts = new Map(lessons.rows.map((row) => [row.title, Number(row.count)]));
  const repeats = [...day.wanted].flatMap(([title, made]) => {
    const count = counts.get(title) ?? 0;
    return count === (made ? 1 : 0) ? [] : [`${title}: ${count}`];
  });
  return {
    unaccepted: unaccepted.rows.map((row) => row.pair),
    stale: stale.rows.map((row) => row.pair),
    repeats,
  };
}
