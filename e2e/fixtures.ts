import { test as base, expect } from '@playwright/test';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type ConsoleGuard, guardConsole } from './console-guard.ts';
import { createMailClient, type MailClient } from './mail-client.ts';
import { runMinuteCron } from './run-cron.ts';
import { confirmEmail, createTutor, type Tutor } from './tutor.ts';

interface Fixtures {
  /** On the API where it is always the same Tuesday evening: see `evening.ts`. */
  fixedClock: boolean;
  /** The public origin of the API in use. */
  origin: string;
  /** A new tutor of this test alone, signed in in this browser. */
  tutor: Tutor;
  /** That tutor's book, by the API. */
  api: ApiClient;
  /** What the product mailed. */
  mail: MailClient;
  /** That tutor has confirmed the address, so that mails to families go out. */
  confirmedTutor: Tutor;
  /** What the worker does once a minute is done now. Not in the evening, which has no worker. */
  runCron: () => Promise<void>;
  /** Fails the test on anything the browser complains about that the test did not announce. */
  consoleGuard: ConsoleGuard;
}

export const test = base.extend<Fixtures>({
  fixedClock: [false, { option: true }],

  origin: async ({ fixedClock }, use) => use(address(fixedClock ? 'E2E_URL_EVENING' : 'E2E_URL')),

  baseURL: async ({ origin }, use) => use(origin),

  consoleGuard: [
    async ({ context }, use) => {
      const consoleGuard = await guardConsole(context);
      await use(consoleGuard);
      expect(consoleGuard.errors(), 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],

  tutor: async ({ context, origin }, use) => {
    await use(await createTutor(context.request, origin));
  },

  api: async ({ context, origin, tutor: _signedIn }, use) => {
    await use(createApiClient(context.request, origin));
  },

  confirmedTutor: async ({ context, origin, tutor, mail }, use) => {
    await confirmEmail(context.request, origin, tutor, mail);
    await use(tutor);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  runCron: async ({}, use) => use(() => runMinuteCron(address('E2E_DATABASE_URL'))),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  mail: async ({}, use) => use(createMailClient(address('E2E_MAILBOX_URL'))),
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
