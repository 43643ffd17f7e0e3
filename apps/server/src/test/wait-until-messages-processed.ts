import { messages } from '@lessonbook/contract/messages';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import type { Browser } from './browser-client.ts';

/** Waits until no message is waiting to be sent, and returns the message log. */
export async function waitUntilMessagesProcessed(browser: Browser) {
  const read = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  let log = await read();
  await waitUntil(
    async () => {
      log = await read();
      return log.every(({ state }) => state !== 'waiting');
    },
    () => `messages are still waiting: ${JSON.stringify(log)}`,
  );
  return log;
}
