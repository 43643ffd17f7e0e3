import { test as base, expect } from '@playwright/test';
import { type Book, openBook } from './book.ts';
import { type Mailroom, openMailroom } from './mailroom.ts';
import { passMinute } from './minute.ts';
import { confirmEmail, makeTutor, type Tutor } from './tutor.ts';
import { type Watch, watchBrowser } from './watch.ts';

interface Fixtures {
  /** On the API where it is always the same Tuesday evening: see `evening.ts`. */
  evening: boolean;
  /** The public origin of the API in use. */
  origin: string;
  /** A new tutor of this test alone, signed in in this browser. */
  tutor: Tutor;
  /** That tutor's book, by the API. */
  book: Book;
  /** What the product mailed. */
  mail: Mailroom;
  /** That tutor has confirmed the address, so that mails to families go out. */
  confirmed: Tutor;
  /** What the worker does once a minute is done now. Not in the evening, which has no worker. */
  minutePasses: () => Promise<void>;
  /** Fails the test on anything the browser complains about that the test did not announce. */
  watch: Watch;
}

export const test = base.extend<Fixtures>({
  evening: [false, { option: true }],

  origin: async ({ evening }, use) => use(address(evening ? 'E2E_URL_EVENING' : 'E2E_URL')),

  baseURL: async ({ origin }, use) => use(origin),

  watch: [
    async ({ context }, use) => {
      const watch = await watchBrowser(context);
      await use(watch);
      expect(watch.complaints(), 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],

  tutor: async ({ context, origin }, use) => {
    await use(await makeTutor(context.request, origin));
  },

  book: async ({ context, origin, tutor: _signedIn }, use) => {
    await use(openBook(context.request, origin));
  },

  confirmed: async ({ context, origin, tutor, mail }, use) => {
    await confirmEmail(context.request, origin, tutor, mail);
    await use(tutor);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  minutePasses: async ({}, use) => use(() => passMinute(address('E2E_DATABASE_URL'))),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  mail: async ({}, use) => use(openMailroom(address('E2E_MAILBOX_URL'))),
});

export { expect };

/** Left in the environment by `global-setup.ts`. */
export function address(
  name:
    | 'E2E_URL'
    | 'E2E_URL_EVENING'
    | 'E2E_URL_WITHOUT_DEMO'
    | 'E2E_URL_BY_NAME'
    | 'E2E_MAILBOX_URL'
    | 'E2E_STRIPE_URL'
    | 'E2E_GOOGLE_URL'
    | 'E2E_DATABASE_URL',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the stage did not start`);
  return value;
}
