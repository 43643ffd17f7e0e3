import { setTimeout as sleep } from 'node:timers/promises';
import { plusDays } from '@lessonbook/contract/dates';
import { Browser } from '@lessonbook/server/src/test/browser.ts';
import { PASSWORD } from '@lessonbook/server/src/test/tutor.ts';

export interface Load {
  requests: number;
  /** What no visitor may see, in words. */
  failures: string[];
  longestMs: number;
  /** Ends the quiet time that the rest is measured against. */
  startMeasuring: () => void;
  /** From now on requests go to these, in turn, as a proxy would send them. */
  sendTo: (urls: readonly string[]) => void;
  stop: () => Promise<void>;
}

/**
 * An answer that takes longer than this, on a quiet machine, counts as failed: the visitor has clicked again. Where answers took
 * long before the change already, those are the measure.
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

/** Tutors who read and write without a break, over plain paths, so that an old server understands them. */
export async function startLoad(
  url: string,
  origin: string,
  options: { tutors: number; slowdown: number },
): Promise<Load> {
  const tutors = await Promise.all(
    Array.from({ length: options.tutors }, (_, index) => signUp(url, origin, `upgrade${index}`)),
  );
  const state = { urls: [url] as readonly string[], stopped: false, turn: 0, patience: Infinity };
  const load: Load = {
    requests: 0,
    failures: [],
    longestMs: 0,
    startMeasuring: () => {
      state.patience = Math.max(
        options.slowdown * MAX_RESPONSE_MS,
        SLOWDOWN_LIMIT * load.longestMs,
      );
    },
    sendTo: (urls) => {
      state.urls = urls;
    },
    stop: async () => {
      state.stopped = true;
      await Promise.all(working);
    },
  };

  async function ask(tutor: Tutor, expected: number, method: string, path: string, body?: unknown) {
    const to = state.urls[state.turn++ % state.urls.length] as string;
    const browser = new Browser(to, origin);
    browser.cookies = tutor.cookies;
    const start = performance.now();
    const status = await browser.send(method, path, body).then(
      (answer) => answer.status,
      (error: Error) => `${error.message} (${String(error.cause)})`,
    );
    const took = performance.now() - start;
    load.requests += 1;
    load.longestMs = Math.max(load.longestMs, took);
    if (status !== expected) load.failures.push(`${method} ${path}: ${status}`);
    else if (took > state.patience) load.failures.push(`${method} ${path}: ${Math.round(took)} ms`);
  }

  async function work(tutor: Tutor): Promise<void> {
    for (let count = 0; !state.stopped; count += 1) {
      const date = plusDays('2030-01-01', count);
      await ask(tutor, 200, 'GET', '/api/me');
      await ask(tutor, 201, 'POST', '/api/lessons', {
        studentId: tutor.studentId,
        subjectId: tutor.subjectId,
        title: `Lesson ${count}`,
        date,
        startTime: '16:00',
        endTime: '17:00',
        fee: 35,
        place: 'Library',
      });
      await ask(tutor, 200, 'GET', `/api/sessions?from=${date}&to=${date}`);
      await ask(tutor, 201, 'POST', '/api/payments', {
        familyId: tutor.familyId,
        amount: 3500,
        currency: 'GBP',
        method: 'cash',
        date: '2026-11-15',
      });
      await ask(tutor, 200, 'GET', '/api/students');
      await ask(tutor, 200, 'GET', '/api/dashboard');
      if (count % 10 === 5)
        await ask({ ...tutor, cookies: new Map() }, 200, 'POST', '/api/login', {
          username: tutor.username,
          password: PASSWORD,
        });
      await sleep(30);
    }
  }
  const working = tutors.map(work);
  return load;
}

async function signUp(url: string, origin: string, username: string): Promise<Tutor> {
  const browser = new Browser(url, origin);
  async function done(path: string, body: unknown): Promise<{ id: number; familyId: number }> {
    const answer = await browser.send('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.error.message}`);
    return answer.body as { id: number; familyId: number };
  }
  await done('/api/signup', {
    name: 'Ada Fenwick',
    email: `${username}@example.com`,
    username,
    password: PASSWORD,
    timeZone: 'Europe/London',
  });
  await done('/api/login', { username, password: PASSWORD });
  const subject = await done('/api/subjects', { name: 'Maths', defaultFee: 30 });
  const student = await done('/api/students', { name: 'Maya' });
  return {
    username,
    cookies: browser.cookies,
    subjectId: subject.id,
    studentId: student.id,
    familyId: student.familyId,
  };
}
