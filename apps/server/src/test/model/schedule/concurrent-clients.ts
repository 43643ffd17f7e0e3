import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ApiResponse, Browser } from '../../browser.ts';
import type { TestApp } from '../../test-app.ts';
import { createFastFixture, type FastFixture } from '../fast-fixture.ts';
import { Random } from '../random.ts';

/* Many browsers of one tutor that all want the same day. */

const CLIENTS = 64;
const DAY = '2026-11-20';
const NEXT_WEEK = '2026-11-27';

export interface ClientOptions {
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
  retries: number;
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
interface SharedState {
  fixture: FastFixture;
  series: Series[];
  sessions: number[];
  statuses: Map<number, number>;
  retries: number;
  /** Title of each lesson that was asked for with a key, and whether any answer said it was made. */
  wanted: Map<string, boolean>;
}

export async function runConcurrentClients(
  app: TestApp,
  adminDb: pg.Client,
  options: ClientOptions,
): Promise<Outcome> {
  const fixture = await createFastFixture(app, 'Europe/London');
  const shared: SharedState = {
    fixture,
    series: [],
    sessions: [],
    statuses: new Map(),
    retries: 0,
    wanted: new Map(),
  };
  await seedLessons(shared, options.movesOnly ? CLIENTS : 12);
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) =>
      runClient(
        shared,
        fixture.newBrowser(),
        new Random(options.seed * 1000 + index),
        options,
        index,
      ),
    ),
  );
  return {
    statuses: Object.fromEntries([...shared.statuses].toSorted(([a], [b]) => a - b)),
    retries: shared.retries,
    ...(await checkDatabase(adminDb, fixture.tutorId, shared)),
  };
}

/** Series whose times can be moved as a whole, and sessions to move alone: none in the way of another. */
async function seedLessons(shared: SharedState, howMany: number): Promise<void> {
  for (let index = 0; index < howMany; index++) {
    const minute = 4 * 60 + index * 5;
    const answer = await shared.fixture.browser.send('POST', '/api/lessons', {
      ...lesson(shared, `series ${index}`, clock(minute), clock(minute + 5)),
      isRecurring: true,
      recurringEndDate: NEXT_WEEK,
    });
    shared.series.push(answer.body as Series);
  }
  for (let index = 0; index < 12; index++) {
    const minute = 21 * 60 + index * 10;
    const body = lesson(shared, `single ${index}`, clock(minute), clock(minute + 10));
    const answer = await shared.fixture.browser.send('POST', '/api/lessons', body);
    shared.sessions.push((answer.body as Series).sessionId);
  }
}

const lesson = (shared: SharedState, title: string, startTime: string, endTime: string) => ({
  studentId: shared.fixture.studentIds[0],
  subjectId: shared.fixture.subjectIds[0],
  title,
  date: DAY,
  startTime,
  endTime,
  fee: 30,
});

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

async function runClient(
  shared: SharedState,
  browser: Browser,
  random: Random,
  options: ClientOptions,
  index: number,
): Promise<void> {
  for (let round = 0; round < options.rounds; round++) {
    const start = (options.movesOnly ? 72 : random.between(40, 72)) * 15;
    const times = {
      startTime: clock(start),
      endTime: clock(start + random.pick([30, 45, 60, 90])),
    };
    const acceptOverlaps = random.chance(options.accepting);
    const input = { times, acceptOverlaps, name: `c${index}-${round}` };
    if (options.movesOnly) await move(shared, browser, shared.series[index] as Series, input);
    else await random.pick(ACTIONS)(shared, browser, random, input);
  }
}

interface RequestInput {
  times: { startTime: string; endTime: string };
  acceptOverlaps: boolean;
  name: string;
}

const MAX_RETRIES = 40;

/**
 * Sends, and counts the answer. A machine that is too slow for the crowd says 503 and when to come again; a browser does
 * so, with the same key, and only one that is turned away for good counts as a fault.
 */
async function send(
  shared: SharedState,
  browser: Browser,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse<unknown>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await browser.send(method, path, body, headers);
    const again = Number(answer.headers.get('retry-after'));
    if (answer.status === 503 && again > 0 && attempt < MAX_RETRIES) {
      shared.retries += 1;
      await sleep(again * 1000);
      continue;
    }
    shared.statuses.set(answer.status, (shared.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }
}

/** Sent once, twice at the same moment, or again after the answer: with the same key it is one lesson. */
async function create(
  shared: SharedState,
  browser: Browser,
  random: Random,
  input: RequestInput,
): Promise<void> {
  const title = `wish ${input.name}`;
  const body = {
    ...lesson(shared, title, input.times.startTime, input.times.endTime),
    acceptOverlaps: input.acceptOverlaps,
  };
  const headers = { 'idempotency-key': `key-${input.name}` };
  const ask = () => send(shared, browser, 'POST', '/api/lessons', body, headers);
  const answers = await Promise.all(Array.from({ length: random.between(1, 2) }, ask));
  if (random.chance(0.5)) answers.push(await ask());
  const made = answers.filter((answer) => answer.status === 201);
  shared.wanted.set(title, made.length > 0);
  for (const answer of made) shared.sessions.push((answer.body as Series).sessionId);
}

async function moveOne(
  shared: SharedState,
  browser: Browser,
  random: Random,
  input: RequestInput,
): Promise<void> {
  const id = random.pick(shared.sessions);
  const body = { date: DAY, ...input.times, acceptOverlaps: input.acceptOverlaps };
  const headers = { 'idempotency-key': `key-${input.name}` };
  const answers = await Promise.all(
    Array.from({ length: random.between(1, 2) }, () =>
      send(shared, browser, 'POST', `/api/sessions/${id}/reschedule`, body, headers),
    ),
  );
  const moved = new Set(
    answers
      .filter((answer) => answer.status === 200)
      .map((answer) => (answer.body as { id: number }).id),
  );
  shared.sessions.push(...moved);
}

const moveSeries = (
  shared: SharedState,
  browser: Browser,
  random: Random,
  input: RequestInput,
): Promise<void> => move(shared, browser, random.pick(shared.series), input);

async function move(
  shared: SharedState,
  browser: Browser,
  series: Series,
  input: RequestInput,
): Promise<void> {
  const { lessonId, sessionId } = series;
  const { startTime, endTime } = input.times;
  await send(shared, browser, 'PUT', `/api/lessons/${lessonId}`, {
    ...lesson(shared, `moved ${input.name}`, startTime, endTime),
    isRecurring: true,
    recurringEndDate: NEXT_WEEK,
    scope: 'all',
    sessionId,
    acceptOverlaps: input.acceptOverlaps,
  });
}

async function cancelAndReopen(
  shared: SharedState,
  browser: Browser,
  random: Random,
  { acceptOverlaps }: RequestInput,
): Promise<void> {
  const id = random.pick(shared.sessions);
  await send(shared, browser, 'POST', `/api/sessions/${id}/cancel`, { cancelledBy: 'tutor' });
  await send(shared, browser, 'POST', `/api/sessions/${id}/reopen`, { acceptOverlaps });
}

const ACTIONS = [create, create, moveOne, moveSeries, moveSeries, cancelAndReopen];

/** What the database says when the dust has settled. */
async function checkDatabase(
  adminDb: pg.Client,
  tutorId: string,
  shared: SharedState,
): Promise<Pick<Outcome, 'unaccepted' | 'stale' | 'repeats'>> {
  const unaccepted = await adminDb.query<{ pair: string }>(
    `select a.id || ' and ' || b.id as pair from sessions a
     join sessions b on b.tutor_id = a.tutor_id and b.id > a.id and b.status = 'scheduled'
       and b.starts_at < a.ends_at and b.ends_at > a.starts_at
     where a.tutor_id = $1 and a.status = 'scheduled' and not exists (
       select 1 from accepted_overlaps p
       where p.tutor_id = a.tutor_id and p.session_id = a.id and p.other_id = b.id)`,
    [tutorId],
  );
  const stale = await adminDb.query<{ pair: string }>(
    `select p.session_id || ' and ' || p.other_id as pair from accepted_overlaps p
     join sessions a on a.tutor_id = p.tutor_id and a.id = p.session_id
     join sessions b on b.tutor_id = p.tutor_id and b.id = p.other_id
     where p.tutor_id = $1 and not (a.status = 'scheduled' and b.status = 'scheduled'
       and b.starts_at < a.ends_at and b.ends_at > a.starts_at)`,
    [tutorId],
  );
  const lessons = await adminDb.query<{ title: string; count: string }>(
    `select title, count(*) from lessons where tutor_id = $1 and title like 'wish %' group by title`,
    [tutorId],
  );
  const counts = new Map(lessons.rows.map((row) => [row.title, Number(row.count)]));
  const repeats = [...shared.wanted].flatMap(([title, made]) => {
    const count = counts.get(title) ?? 0;
    return count === (made ? 1 : 0) ? [] : [`${title}: ${count}`];
  });
  return {
    unaccepted: unaccepted.rows.map((row) => row.pair),
    stale: stale.rows.map((row) => row.pair),
    repeats,
  };
}
