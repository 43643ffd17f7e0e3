import { randomBytes } from 'node:crypto';
import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { type FakeGoogle, startGoogle } from '@lessonbook/fakes/google';
import { calendarEnvironment } from '@lessonbook/test-env/calendar-provider';
import type { Browser } from './browser.ts';
import { queueIdle } from './queue-idle.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export interface CalendarTestApp {
  app: TestApp;
  google: FakeGoogle;
  /** Nothing is under way any more: no call of Google's, no job. */
  waitUntilIdle: () => Promise<void>;
  close: () => Promise<void>;
}

/** What a process of ours must know of the stand-in, with a key to seal what it gives us. */
export const googleEnvironment = (google: FakeGoogle): Record<string, string> => ({
  ...calendarEnvironment(google),
  SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
});

/** The whole app with Google's stand-in beside it. Its calls come back only where the app has a lasting address. */
export async function startCalendarTestApp(
  environment: Record<string, string> = {},
): Promise<CalendarTestApp> {
  const google = await startGoogle();
  const app = await startTestApp({
    RATE_LIMIT_FACTOR: '1000',
    ...googleEnvironment(google),
    ...environment,
  });
  const quiet = () => queueIdle(app.admin, 'calendar-%');
  return {
    app,
    google,
    waitUntilIdle: quiet,
    close: async () => {
      await app.close();
      await google.close();
    },
  };
}

/** Through Google's consent page and back; gives where the browser was sent. */
export async function connectGoogleCalendar(
  google: FakeGoogle,
  browser: Browser,
  answer: Parameters<FakeGoogle['control']['consent']>[1] = {},
): Promise<string> {
  const asked = await browser.call(calendar.connectCalendar);
  if (asked.status !== 200) throw new Error(asked.error.message);
  const { redirect } = await google.control.consent(asked.body.authUrl, answer);
  const { pathname, search } = new URL(redirect);
  const back = await browser.send('GET', pathname + search);
  return back.headers.get('location') ?? `${back.status}`;
}

/** As somebody at Google. */
export const googleUser = async (browser: Browser): Promise<string> =>
  `${(await browser.call(accounts.me)).body.username}@gmail.example`;

/** What stands in the tutor's calendar, as text that is easy to read in a test. */
export async function listGoogleEvents(google: FakeGoogle, user: string): Promise<string[]> {
  const [books] = await google.control.report(user);
  return (books?.calendars ?? [])
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
  const [books] = await google.control.report(user);
  const events = books?.calendars.filter((each) => !each.deleted).flatMap((each) => each.events);
  const found = events?.find(
    (event) => event.status !== 'cancelled' && event.start.startsWith(start),
  );
  if (!found) throw new Error(`Nothing stands at ${start}`);
  return found.id;
}
