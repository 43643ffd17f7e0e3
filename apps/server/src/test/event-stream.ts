import { notifications } from '@lessonbook/contract/notifications';
import type { Browser } from './browser-client.ts';

/** Opens the event stream of a browser window. */
export async function openEventStream(url: string, browser: Browser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stop = new AbortController();
  const response = await fetch(url + notifications.notificationStream.path, {
    headers: { cookie },
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    contentType: response.headers.get('content-type'),
    nextEvent: async () => {
      for (;;) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done || chunk.value.includes('data:')) return chunk?.value ?? '';
      }
    },
    close: () => stop.abort(),
  };
}
