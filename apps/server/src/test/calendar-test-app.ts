import { randomBytes } from 'node:crypto';
import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { type FakeGoogle, startGoogle } from '@lessonbook/fakes/google';
import { createCalendarEnvironment } from '@lessonbook/test-env/calendar-provider';
import type { Browser } from './browser-client.ts';
import { reauthenticate } from './create-tutor.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { waitUntilQueueIdle } from './wait-for-queue-and-control-retries.ts';

export interface CalendarTestApp {
  app: TestApp;
  google: FakeGoogle;
  /** Waits until no calendar job is due or running. */
  waitUntilIdle: () => Promise<void>;
  close: () => Promise<void>;
}

/** Environment variables for using the fake Google, with a new encryption key. */
export const googleEnvironment = (google: FakeGoogle): Record<string, string> => ({
  ...createCalendarEnvironment(google),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
});

/** Starts the test app with the fake Google, which sends notifications only if the app has a public URL. */
export async function startCalendarTestApp(
  environment: Record<string, string> = {},
): Promise<CalendarTestApp> {
  const google = await startGoogle();
  const app = await startTestApp({
    RATE_LIMIT_FACTOR: '1000',
    ...googleEnvironment(google),
    ...environment,
  });
  const waitUntilIdle = () => waitUntilQueueIdle(app.admin, 'calendar-%');
  return {
    app,
    google,
    waitUntilIdle,
    close: async () => {
      await app.close();
      await google.close();
    },
  };
}

/** Completes Google's consent page and returns the location that the callback redirects to. */
export async function connectGoogleCalendar(
  google: FakeGoogle,
  browser: Browser,
  consent: Parameters<FakeGoogle['control']['consent']>[1] = {},
): Promise<string> {
  let started = await browser.call(calendar.connectCalendar);
  if (started.error.code === 'confirmation_needed') {
    await reauthenticate(browser);
    started = await browser.call(calendar.connectCalendar);
  }
  if (started.status !== 200) throw new Error(started.error.message);
  const { redirect } = await google.control.consent(started.body.authUrl, consent);
  const { pathname, search } = new URL(redirect);
  const response = await browser.send('GET', pathname + search);
  return response.headers.get('location') ?? `${response.status}`;
}

/** The tutor's Google address. */
export const googleUser = async (browser: Browser): Promise<string> =>
  `${(await browser.call(accounts.me)).body.username}@gmail.example`;

/** The events in the tutor's Google calendar as text, such as "2026-11-17 16:00 Maya: Maths". */
export async function listGoogleEvents(google: FakeGoogle, user: string): Promise<string[]> {
  const [report] = await google.control.report(user);
  return (report?.calendars ?? [])
    .filter((each) => !each.deleted)
    .flatMap((each) => each.events)
    .filter((event) => event.status !== 'cancelled')
    .map((event) => `${event.start.slice(0, 16).replace('T', ' ')} ${event.summary}`)
    .toSorted();
}

export async function findGoogleEventId(
  google: FakeGoogle,
  user: string,
  start: string,
): Promise<string> {
  const [report] = await google.control.report(user);
  const events = report?.calendars.filter((each) => !each.deleted).flatMap((each) => each.events);
  const found = events?.find(
    (event) => event.status !== 'cancelled' && event.start.startsWith(start),
  );
  if (!found) throw new Error(`There is no event at ${start}`);
  return found.id;
}
