import { test as base, expect } from '@playwright/test';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type ConsoleGuard, guardConsole } from './console-guard.ts';
import { createMailClient, type MailClient } from './mail-client.ts';
import { runSendRemindersJob } from './run-send-reminders-job.ts';
import { confirmEmail, createTutor, type Tutor } from './sign-up-tutor.ts';

interface Fixtures {
  /** Whether to use the API with the fixed clock; see `fixed-server-time.ts`. */
  fixedClock: boolean;
  /** The public origin of the API that the test uses. */
  origin: string;
  /** A new tutor for this test, logged in to this browser. */
  tutor: Tutor;
  /** Calls the API as `tutor`. */
  api: ApiClient;
  /** Reads the emails that were sent. */
  mail: MailClient;
  /** `tutor` with a confirmed email address and a way to be paid, so that emails to families are sent. */
  confirmedTutor: Tutor;
  /** Runs the send-reminders job now. Not available with the fixed clock, where no worker runs. */
  runSendRemindersJob: () => Promise<void>;
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

  confirmedTutor: async ({ context, origin, tutor, mail, api }, use) => {
    await confirmEmail(context.request, origin, tutor, mail);
    await api.saveBusinessSettings({ paymentInstructions: 'In cash at the lesson' });
    await use(tutor);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  runSendRemindersJob: async ({}, use) =>
    use(() => runSendRemindersJob(envUrl('E2E_DATABASE_URL'))),

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
    | 'E2E_URL_WITH_HOST_NAME'
    | 'E2E_MAILBOX_URL'
    | 'E2E_STRIPE_URL'
    | 'E2E_GOOGLE_URL'
    | 'E2E_DATABASE_URL',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the test environment did not start`);
  return value;
}
