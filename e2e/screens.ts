import { readFileSync } from 'node:fs';
import type { PageInfo } from '../apps/web/build/read-page-list.ts';
import type { ConsoleGuard } from './console-guard.ts';

/* All screens with their headings, from the routes of the build. The ids and tokens in the paths do not exist. */

const pages = JSON.parse(
  readFileSync(new URL('../apps/web/dist/.vite/pages.json', import.meta.url), 'utf8'),
) as PageInfo[];

/** Headings that differ from the title of the route. */
const HEADINGS: Record<string, string> = {
  '/': 'Good to see you, Ada',
  '/dashboard': 'Good to see you, Ada',
};

type Screens = Record<string, string>;

const listScreens = (sections: readonly (string | null)[], id: string): Screens =>
  Object.fromEntries(
    pages
      .filter(({ section }) => sections.includes(section))
      .map(({ path, title }) => [path.replace(/\$\w+/g, id), HEADINGS[path] ?? title]),
  );

export const lessonScreens: Screens = {
  ...listScreens(['/', '/schedule', '/students'], '1'),
  '/schedule?view=students': 'Students',
  '/schedule?view=subjects': 'Subjects',
};

export const moneyScreens: Screens = {
  ...listScreens(['/families', '/invoices', '/reports'], '1'),
  '/reports?show=owed': 'Tutor Earnings Report',
  '/reports?show=lessons': 'Tutor Earnings Report',
};

export const otherScreens = listScreens(['/messages', '/notifications', '/settings'], '1');

/** Allows 404 responses for the ids that do not exist. */
export function allowNotFound(consoleGuard: ConsoleGuard): void {
  for (const path of [
    '/api/sessions/1',
    '/api/lessons/1',
    '/api/payments/form',
    '/api/families/1',
    '/api/students/1',
    '/api/students/1/timeline',
    '/api/invoices/1',
    '/api/batches/1',
    '/api/pay/unknown',
    '/api/unsubscribe/unknown/reminders',
  ]) {
    consoleGuard.allowErrorResponse(path, 404);
  }
}

export const tutorScreens: Screens = { ...lessonScreens, ...moneyScreens, ...otherScreens };

export const LANDING_HEADING = 'Every lesson booked, taught and paid for.';

/** Screens that need no login: the landing page, the app's public pages and the pages for families. */
export const publicScreens: Screens = {
  '/': LANDING_HEADING,
  ...listScreens([null], 'unknown'),
  '/pay/unknown': 'Payment',
  '/invoices/unknown': 'Invoice',
  '/unsubscribe/unknown': 'Link not found',
  '/family': 'Sign in',
  '/no-such-page': '404 Page Not Found',
};

export const screenEntries = (screens: Screens) => Object.entries(screens);
