import { messages } from '@lessonbook/contract/messages';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import type { Browser } from './browser.ts';

/** The log of messages once none of them waits to be sent, so that "none" in a test means none. */
export async function settledMessages(browser: Browser) {
  const read = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  let log = await read();
  await waitUntil(
    async () => {
      log = await read();
      return log.every(({ state }) => state !== 'waiting');
    },
    () => `messages still wait: ${JSON.stringify(log)}`,
  );
  return log;
}
