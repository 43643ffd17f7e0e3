import { test as base, expect } from '@playwright/test';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type ConsoleGuard, guardConsole } from './console-guard.ts';
import { createMailClient, type MailClient } from './mail-client.ts';
import { runMinuteCron } from './run-cron.ts';
import { confirmEmail, createTutor, type Tutor } from './tutor.ts';

interface Fixtures {
  /** Uses the API with the fixed clock: see `fixed-clock.ts`. */
  fixedClock: boolean;
  /** The public origin of the API in use. */
  origin: string;
  /** A new tutor for this test, signed in in this browser. */
  tutor: Tutor;
  /** API access as that tutor. */
  api: ApiClient;
  /** Sent mails. */
  mail: MailClient;
  /** That tutor with a confirmed envUrl, so that mails to families are sent. */
  confirmedTutor: Tutor;
  /** Runs the worker's minute job now. Not with the fixed clock, which has no worker. */
  runCron: () => Promise<void>;
  /** Fails the test on browser errors that it did not allow. */
  consoleGuard: ConsoleGuard;
}

export const test = base.extend<Fixtures>({
  fixedClock: [false, { option: true }],

  origin: async ({ fixedClock }, use) =>
    use(envUrl(fixedClock ? 'E2E_URL_FIXED_CLOCK' : 'E2E_URL')),

  baseURL: async ({ origin }, use) => use(origin),

  consoleGuard: [
    async ({ context }, use) => {
      const consoleGuard = await guardConsole(context);
      await use(consoleGuard);
      expect(consoleGuard.errors(), 'browser errors').toEqual([]);
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
  runCron: async ({}, use) => use(() => runMinuteCron(envUrl('E2E_DATABASE_URL'))),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  mail: async ({}, use) => use(createMailClient(envUrl('E2E_MAILBOX_URL'))),
});

export { expect };

/** Set in the environment by `global-setup.ts`. */
export function envUrl(
  name:
    | 'E2E_URL'
    | 'E2E_URL_FIXED_CLOCK'
    | 'E2E_URL_WITHOUT_DEMO'
    | 'E2E_URL_BY_NAME'
    | 'E2E_MAILBOX_URL'
    | 'E2E_STRIPE_URL'
    | 'E2E_GOOGLE_URL'
    | 'E2E_DATABASE_URL',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the test environment did not start`);
  return value;
}
