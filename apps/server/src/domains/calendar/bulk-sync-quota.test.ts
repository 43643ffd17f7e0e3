import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { type FakeGoogle, startGoogle } from '@lessonbook/fakes/google';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../test/browser-client.ts';
import {
  connectGoogleCalendar,
  googleEnvironment,
  listGoogleEvents,
} from '../../test/calendar-test-app.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { isLongRun } from '../../test/model/random.ts';
import { sharedDatabase } from '../../test/test-app.ts';

/** Weeks in each series. */
const WEEKS = 13;
const LESSONS = isLongRun() ? 77 : 12;
const SESSIONS = LESSONS * WEEKS;
const QUOTA = 600;
const TIMEOUT_MS = isLongRun() ? 1_800_000 : 360_000;
const log = (line: string) => process.stdout.write(`[calendar] ${line}\n`);

let google: FakeGoogle;
let lessonbook: Lessonbook;
beforeAll(async () => {
  google = await startGoogle({ quotas: { perUserPerMinute: QUOTA } });
  lessonbook = await startLessonbook({
    database: sharedDatabase(),
    cards: false,
    // googleEnvironment sets both of these.
    calendar: false,
    googleSignIn: false,
    env: { RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'silent', ...googleEnvironment(google) },
  });
});
afterAll(async () => {
  await lessonbook.stop();
  await google.close();
});

const waitFor = (condition: () => Promise<boolean>) =>
  waitUntil(condition, () => 'the calendar is not in sync', TIMEOUT_MS);

async function createConnectedTutor() {
  const { browser } = await createTutor({
    browser: () => new Browser(lessonbook.url, lessonbook.url),
  });
  const { today, username } = (await browser.call(accounts.me)).body;
  const user = `${username}@gmail.example`;
  const studentId = (await createStudent(browser, { name: 'Maya Okafor' })).id;
  const subjectId = (await createSubject(browser)).id;
  const createLesson = (change: object) =>
    browser.call(lessons.createLesson, {
      body: {
        studentId,
        subjectId,
        title: 'Lesson',
        date: addDaysToDate(today, 1),
        startTime: '10:00',
        endTime: '11:00',
        acceptOverlaps: true,
        ...change,
      },
    });
  return { browser, user, studentId, subjectId, today, createLesson };
}

const isSynced = (browser: Browser) => async () => {
  const { waiting, initialSyncRunning } = (await browser.call(calendar.calendarStatus)).body;
  return waiting === 0 && !initialSyncRunning;
};

test(`one tutor changes ${SESSIONS} lessons at once, within the quota and without delaying another tutor`, {
  timeout: 3 * TIMEOUT_MS,
}, async () => {
  const busy = await createConnectedTutor();
  for (let n = 0; n < LESSONS; n += 1) {
    const date = addDaysToDate(busy.today, 1 + (n % 7));
    const recurringEndDate = addDaysToDate(date, 7 * (WEEKS - 1));
    await busy.createLesson({
      date,
      isRecurring: true,
      recurringPattern: 'weekly',
      recurringEndDate,
    });
  }
  const other = await createConnectedTutor();
  await other.createLesson({});
  await connectGoogleCalendar(google, other.browser, { user: other.user });
  await waitFor(isSynced(other.browser));

  const baselineDelay = await medianDelay(other, 5);
  const startedAt = performance.now();
  await connectGoogleCalendar(google, busy.browser, { user: busy.user });
  const duringInitialSync = await medianDelay(other, 9);
  await waitFor(isSynced(busy.browser));
  const initialSyncMs = performance.now() - startedAt;

  await busy.browser.call(subjects.updateSubject, {
    params: { id: busy.subjectId },
    body: { name: 'Physics', defaultFee: 30, currency: 'GBP' },
  });
  const duringBulkChange = await medianDelay(other, 9);
  await waitFor(isSynced(busy.browser));

  const events = await listGoogleEvents(google, busy.user);
  expect(events).toHaveLength(SESSIONS);
  expect(events.filter((line) => line.endsWith('Maya: Physics'))).toHaveLength(SESSIONS);
  const { peak, refused } = await google.control.quotaUsage();
  const maxRequests = peak.users[busy.user] ?? 0;
  log(
    `${SESSIONS} lessons: initial sync in ${Math.round(initialSyncMs / 1000)} s, at most ${maxRequests} requests in any minute (quota ${QUOTA}), ${refused} rejected; another tutor's change arrives after ${baselineDelay} ms without other load, ${duringInitialSync} ms during the initial sync, ${duringBulkChange} ms during the bulk change`,
  );
  expect(maxRequests).toBeLessThanOrEqual(QUOTA);
  expect(refused).toBe(0);
  // The other tutor waits for one run at most, which takes up to two seconds; the rest allows for a busy machine.
  expect(Math.max(duringInitialSync, duringBulkChange)).toBeLessThan(baselineDelay + 4_000);
});

/** Median time from the response to an update until the change appears in Google. */
async function medianDelay(
  tutor: Awaited<ReturnType<typeof createConnectedTutor>>,
  times: number,
): Promise<number> {
  const delays: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const name = `Kim${Math.floor(performance.now())}`;
    const renamed = await tutor.browser.call(students.updateStudent, {
      params: { id: tutor.studentId },
      body: { name },
    });
    if (renamed.status !== 200) throw new Error(`${renamed.status}: ${renamed.error.message}`);
    const savedAt = performance.now();
    await waitFor(async () =>
      (await listGoogleEvents(google, tutor.user)).some((line) => line.includes(`${name}:`)),
    );
    delays.push(performance.now() - savedAt);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return Math.round(delays.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0);
}
