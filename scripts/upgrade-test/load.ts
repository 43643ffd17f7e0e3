import { setTimeout as sleep } from 'node:timers/promises';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';

export interface Load {
  requests: number;
  /** Descriptions of failed or slow requests. */
  failures: string[];
  longestMs: number;
  /** Ends the warm-up and derives the time limit from its longest response. */
  startMeasuring: () => void;
  /** Sends further requests to these servers in turn, as a proxy does. */
  sendTo: (urls: readonly string[]) => void;
  /** Sends nothing until `resume`, and waits for the requests in flight. */
  pause: () => Promise<void>;
  resume: () => void;
  stop: () => Promise<void>;
}

/**
 * A slower response counts as a failure. On a slow machine, the limit is derived from the longest response before the change.
 */
const MAX_RESPONSE_MS = 2_000;
const SLOWDOWN_LIMIT = 2.5;

interface Tutor {
  username: string;
  cookies: Map<string, string>;
  studentId: number;
  subjectId: number;
  familyId: number;
}

/** Starts tutors who read and write continuously. The paths are literals that the old server supports too. */
export async function startLoad(
  url: string,
  origin: string,
  options: { tutors: number; slowdown: number },
): Promise<Load> {
  const tutors = await Promise.all(
    Array.from({ length: options.tutors }, (_, index) => signUp(url, origin, `upgrade${index}`)),
  );
  const state = {
    urls: [url] as readonly string[],
    stopped: false,
    paused: false,
    inFlight: 0,
    turn: 0,
    timeLimitMs: Infinity,
  };
  const load: Load = {
    requests: 0,
    failures: [],
    longestMs: 0,
    startMeasuring: () => {
      state.timeLimitMs = Math.max(
        options.slowdown * MAX_RESPONSE_MS,
        SLOWDOWN_LIMIT * load.longestMs,
      );
    },
    sendTo: (urls) => {
      state.urls = urls;
    },
    pause: async () => {
      state.paused = true;
      while (state.inFlight > 0) await sleep(10);
    },
    resume: () => {
      state.paused = false;
    },
    stop: async () => {
      state.stopped = true;
      await Promise.all(workers);
    },
  };

  async function send(
    tutor: Tutor,
    expected: number,
    method: string,
    path: string,
    body?: unknown,
  ) {
    while (state.paused) await sleep(10);
    const target = state.urls[state.turn++ % state.urls.length] as string;
    const browser = new Browser(target, origin);
    browser.cookies = tutor.cookies;
    const start = performance.now();
    state.inFlight += 1;
    const status = await browser.send(method, path, body).then(
      (response) => response.status,
      (error: Error) => `${error.message} (${String(error.cause)})`,
    );
    state.inFlight -= 1;
    const duration = performance.now() - start;
    load.requests += 1;
    load.longestMs = Math.max(load.longestMs, duration);
    if (status !== expected) load.failures.push(`${method} ${path}: ${status}`);
    else if (duration > state.timeLimitMs)
      load.failures.push(`${method} ${path}: ${Math.round(duration)} ms`);
  }

  async function sendContinuously(tutor: Tutor): Promise<void> {
    // Each login replaces the one before it, because the number of logins per tutor is limited.
    const secondBrowser = { ...tutor, cookies: new Map<string, string>() };
    for (let count = 0; !state.stopped; count += 1) {
      const date = addDaysToDate('2030-01-01', count);
      await send(tutor, 200, 'GET', '/api/me');
      await send(tutor, 201, 'POST', '/api/lessons', {
        studentId: tutor.studentId,
        subjectId: tutor.subjectId,
        title: `Lesson ${count}`,
        date,
        startTime: '16:00',
        endTime: '17:00',
        fee: 35,
        place: 'Library',
      });
      await send(tutor, 200, 'GET', `/api/sessions?from=${date}&to=${date}`);
      await send(tutor, 201, 'POST', '/api/payments', {
        familyId: tutor.familyId,
        amount: 3500,
        currency: 'GBP',
        method: 'cash',
        date: '2026-11-15',
      });
      await send(tutor, 200, 'GET', '/api/students');
      await send(tutor, 200, 'GET', '/api/dashboard');
      if (count % 10 === 5)
        await send(secondBrowser, 200, 'POST', '/api/login', {
          username: tutor.username,
          password: PASSWORD,
        });
      await sleep(30);
    }
  }
  const workers = tutors.map(sendContinuously);
  return load;
}

async function signUp(url: string, origin: string, username: string): Promise<Tutor> {
  const browser = new Browser(url, origin);
  async function post(path: string, body: unknown): Promise<{ id: number; familyId: number }> {
    const response = await browser.send('POST', path, body);
    if (response.status >= 300)
      throw new Error(`${path}: ${response.status} ${response.error.message}`);
    return response.body as { id: number; familyId: number };
  }
  await post('/api/signup', {
    name: 'Ada Fenwick',
    email: `${username}@example.com`,
    username,
    password: PASSWORD,
    timeZone: 'Europe/London',
  });
  await post('/api/login', { username, password: PASSWORD });
  const subject = await post('/api/subjects', { name: 'Maths', defaultFee: 30 });
  const student = await post('/api/students', { name: 'Maya' });
  return {
    username,
    cookies: browser.cookies,
    subjectId: subject.id,
    studentId: student.id,
    familyId: student.familyId,
  };
}
