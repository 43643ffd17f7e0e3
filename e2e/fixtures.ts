import { test as base, expect } from '@playwright/test';
import { type Mailroom, openMailroom } from './mailroom.ts';
import { makeTutor, type Tutor } from './tutor.ts';
import { type Watch, watchBrowser } from './watch.ts';

interface Fixtures {
  /** A new tutor of this test alone, signed in in this browser. */
  tutor: Tutor;
  /** What the product mailed. */
  mail: Mailroom;
  /** Fails the test on anything the browser complains about that the test did not announce. */
  watch: Watch;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  baseURL: async ({}, use) => use(address('E2E_URL')),

  watch: [
    async ({ context }, use) => {
      const watch = await watchBrowser(context);
      await use(watch);
      expect(watch.complaints(), 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],

  tutor: async ({ context }, use) => {
    await use(await makeTutor(context.request, address('E2E_URL')));
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  mail: async ({}, use) => use(openMailroom(address('E2E_MAILBOX_URL'))),
});

export { expect };

/** Left in the environment by `global-setup.ts`. */
export function address(name: 'E2E_URL' | 'E2E_URL_WITHOUT_DEMO' | 'E2E_MAILBOX_URL'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the stage did not start`);
  return value;
}
