import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ApiResponse, Browser } from '../../browser-client.ts';
import type { TestApp } from '../../test-app.ts';
import { type InsertedTutorFixture, insertTutorFixture } from '../insert-tutor-fixture.ts';
import { Random } from '../random.ts';

/* Many browsers, all logged in as one tutor, change lessons on the same day concurrently. */

const CLIENTS = 64;
const DAY = '2026-11-20';
const NEXT_WEEK = '2026-11-27';

export interface ClientOptions {
  seed: number;
  /** The number of actions per browser. */
  rounds: number;
  /** The proportion of requests that accept overlaps, from 0 to 1. */
  acceptRate: number;
  /**
   * Each browser only moves its own series, all to the same hour. Moving a series needs no new ids; actions that need ids
   * are also serialised by the id sequence's row, even without the tutor's lock.
   */
  movesOnly?: boolean;
}

export interface Outcome {
  /** The number of responses by status. */
  statuses: Record<string, number>;
  /** The number of 503 responses with Retry-After. */
  retries: number;
  /** Scheduled sessions whose overlap was not accepted. */
  unacceptedOverlaps: string[];
  /** Accepted pairs that no longer overlap. */
  staleAcceptances: string[];
  /** Scheduled sessions without an expected student. */
  emptySessions: string[];
  /** Idempotency keys with the wrong number of lessons: there must be one after a 201, otherwise none. */
  idempotencyErrors: string[];
}

interface Series {
  lessonId: number;
  sessionId: number;
}

/** Shared by all browsers. */
interface SharedState {
  fixture: InsertedTutorFixture;
  series: Series[];
  sessions: number[];
  statuses: Map<number, number>;
  retries: number;
  /** The title of each lesson that was requested with a key, and whether any response was a 201. */
  requested: Map<string, boolean>;
}

export async function runConcurrentClients(
  app: TestApp,
  adminDb: pg.Client,
  options: ClientOptions,
): Promise<Outcome> {
  const fixture = await insertTutorFixture(app, 'Europe/London');
  const shared: SharedState = {
    fixture,
    series: [],
    sessions: [],
    statuses: new Map(),
    retries: 0,
    requested: new Map(),
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
    ...(await readOutcome(adminDb, fixture.tutorId, shared)),
  };
}

/** Creates series and one-off lessons that do not overlap. */
async function seedLessons(shared: SharedState, seriesCount: number): Promise<void> {
  for (let index = 0; index < seriesCount; index++) {
    const minute = 4 * 60 + index * 5;
    const response = await shared.fixture.browser.send('POST', '/api/lessons', {
      ...lessonBody(shared, `series ${index}`, formatTime(minute), formatTime(minute + 5)),
      isRecurring: true,
      recurringEndDate: NEXT_WEEK,
    });
    shared.series.push(response.body as Series);
  }
  for (let index = 0; index < 12; index++) {
    const minute = 21 * 60 + index * 10;
    const times = [formatTime(minute), formatTime(minute + 10)] as const;
    const body = groupBody(shared, `single ${index}`, ...times);
    const response = await shared.fixture.browser.send('POST', '/api/lessons', body);
    shared.sessions.push((response.body as Series).sessionId);
  }
}

const lessonBody = (shared: SharedState, title: string, startTime: string, endTime: string) => ({
  studentId: shared.fixture.studentIds[0],
  subjectId: shared.fixture.subjectIds[0],
  title,
  date: DAY,
  startTime,
  endTime,
  fee: 30,
});

/** A lesson with all students of the fixture. */
const groupBody = (...input: Parameters<typeof lessonBody>) => ({
  ...lessonBody(...input),
  students: input[0].fixture.studentIds.map((studentId) => ({ studentId })),
});

const formatTime = (minute: number): string =>
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
      startTime: formatTime(start),
      endTime: formatTime(start + random.pick([30, 45, 60, 90])),
    };
    const acceptOverlaps = random.chance(options.acceptRate);
    const input = { times, acceptOverlaps, name: `c${index}-${round}` };
    if (options.movesOnly)
      await rescheduleSeries(shared, browser, shared.series[index] as Series, input);
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
 * Sends a request and counts the response. On a slow machine the server may return 503 with Retry-After; the request is then
 * retried with the same key.
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
    const response = await browser.send(method, path, body, headers);
    const retryAfter = Number(response.headers.get('retry-after'));
    if (response.status === 503 && retryAfter > 0 && attempt < MAX_RETRIES) {
      shared.retries += 1;
      await sleep(retryAfter * 1000);
      continue;
    }
    shared.statuses.set(response.status, (shared.statuses.get(response.status) ?? 0) + 1);
    return response;
  }
}

/** Sends the request once or twice concurrently, and sometimes again after the response, always with the same key. */
async function create(
  shared: SharedState,
  browser: Browser,
  random: Random,
  input: RequestInput,
): Promise<void> {
  const title = `request ${input.name}`;
  const body = {
    ...groupBody(shared, title, input.times.startTime, input.times.endTime),
    acceptOverlaps: input.acceptOverlaps,
  };
  const headers = { 'idempotency-key': `key-${input.name}` };
  const post = () => send(shared, browser, 'POST', '/api/lessons', body, headers);
  const responses = await Promise.all(Array.from({ length: random.between(1, 2) }, post));
  if (random.chance(0.5)) responses.push(await post());
  const created = responses.filter((response) => response.status === 201);
  shared.requested.set(title, created.length > 0);
  for (const response of created) shared.sessions.push((response.body as Series).sessionId);
}

async function rescheduleSession(
  shared: SharedState,
  browser: Browser,
  random: Random,
  input: RequestInput,
): Promise<void> {
  const id = random.pick(shared.sessions);
  const body = { date: DAY, ...input.times, acceptOverlaps: input.acceptOverlaps };
  const headers = { 'idempotency-key': `key-${input.name}` };
  const responses = await Promise.all(
    Array.from({ length: random.between(1, 2) }, () =>
      send(shared, browser, 'POST', `/api/sessions/${id}/reschedule`, body, headers),
    ),
  );
  const moved = new Set(
    responses
      .filter((response) => response.status === 200)
      .map((response) => (response.body as { id: number }).id),
  );
  shared.sessions.push(...moved);
}

const rescheduleRandomSeries = (
  shared: SharedState,
  browser: Browser,
  random: Random,
  input: RequestInput,
): Promise<void> => rescheduleSeries(shared, browser, random.pick(shared.series), input);

async function rescheduleSeries(
  shared: SharedState,
  browser: Browser,
  series: Series,
  input: RequestInput,
): Promise<void> {
  const { lessonId, sessionId } = series;
  const { startTime, endTime } = input.times;
  await send(shared, browser, 'PUT', `/api/lessons/${lessonId}`, {
    ...lessonBody(shared, `moved ${input.name}`, startTime, endTime),
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

/** Cancels the session for all students concurrently. The last cancellation is rejected, because no other student is expected. */
async function cancelSeats(shared: SharedState, browser: Browser, random: Random): Promise<void> {
  const id = random.pick(shared.sessions);
  const { studentIds } = shared.fixture;
  const path = (studentId: number) => `/api/sessions/${id}/students/${studentId}`;
  const body = { cancelledBy: 'carer', chargeFee: true };
  await Promise.all(
    studentIds.map((each) => send(shared, browser, 'POST', `${path(each)}/cancel`, body)),
  );
  await send(shared, browser, 'POST', `${path(random.pick(studentIds))}/restore`, undefined);
}

/** Pauses a student and ends the pause, while other browsers pause the other student of the same sessions. */
async function pauseAndResume(
  shared: SharedState,
  browser: Browser,
  random: Random,
): Promise<void> {
  const path = `/api/students/${random.pick(shared.fixture.studentIds)}/status`;
  const pause = { status: 'paused', fromDate: DAY, toDate: DAY };
  await send(shared, browser, 'PUT', path, pause);
  await send(shared, browser, 'PUT', path, { status: 'active' });
}

const ACTIONS = [
  create,
  create,
  rescheduleSession,
  rescheduleRandomSeries,
  rescheduleRandomSeries,
  cancelAndReopen,
  cancelSeats,
  pauseAndResume,
];

/** Checks the database once all browsers have finished. */
async function readOutcome(
  adminDb: pg.Client,
  tutorId: string,
  shared: SharedState,
): Promise<Omit<Outcome, 'statuses' | 'retries'>> {
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
  const empty = await adminDb.query<{ id: number }>(
    `select id from sessions s where tutor_id = $1 and status = 'scheduled' and not exists (
       select 1 from session_students x
       where x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected')`,
    [tutorId],
  );
  const lessons = await adminDb.query<{ title: string; count: string }>(
    `select title, count(*) from lessons where tutor_id = $1 and title like 'request %' group by title`,
    [tutorId],
  );
  const counts = new Map(lessons.rows.map((row) => [row.title, Number(row.count)]));
  const idempotencyErrors = [...shared.requested].flatMap(([title, created]) => {
    const count = counts.get(title) ?? 0;
    return count === (created ? 1 : 0) ? [] : [`${title}: ${count}`];
  });
  return {
    unacceptedOverlaps: unaccepted.rows.map((row) => row.pair),
    staleAcceptances: stale.rows.map((row) => row.pair),
    emptySessions: empty.rows.map(({ id }) => String(id)),
    idempotencyErrors,
  };
}
