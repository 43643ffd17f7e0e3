import { accounts } from '@lessonbook/contract/accounts';
import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { type BrowserContext, expect } from '@playwright/test';
import { openBook } from './book.ts';

/** The demo tutor's book is full. Tests share it, so they look at everything and save nothing. */
export interface Demo {
  /** A day of this week with several lessons. */
  busyDay: string;
  toCome: SessionRow;
  toTickOff: SessionRow;
  taught: SessionRow;
  /** Every screen that the teaching day has filled, with its heading. */
  screens: Record<string, string>;
}

export async function logInAsDemo(context: BrowserContext, origin: string): Promise<Demo> {
  const answer = await context.request.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: { username: 'demo', password: 'demo1234' },
  });
  expect(answer.status()).toBe(200);
  const { today, upcoming, incomplete, unpaid } = await openBook(
    context.request,
    origin,
  ).dashboard();
  const busyDay = plusDays(mondayOf(today), 2);
  const toCome = some(upcoming[0]);
  const toTickOff = some(incomplete[0]);
  const taught = some(unpaid[0]?.session);
  return {
    busyDay,
    toCome,
    toTickOff,
    taught,
    screens: {
      '/': 'Good to see you, Ada',
      [`/schedule?date=${busyDay}`]: 'Schedule',
      [`/schedule?date=${busyDay}&board=week`]: 'Schedule',
      '/schedule?view=students': 'Students',
      '/schedule?view=subjects': 'Subjects',
      [`/sessions?date=${busyDay}`]: 'Sessions',
      [`/sessions/${taught.id}`]: 'Session Details',
      [`/lessons/${toCome.lessonId}`]: 'Lesson Details',
      [`/lessons/${toTickOff.lessonId}/complete`]: 'Complete Lessons',
    },
  };
}

function some<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('The book of the demo tutor is not full');
  return thing;
}
