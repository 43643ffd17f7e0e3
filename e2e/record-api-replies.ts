import type { Page } from '@playwright/test';

/** Records the path and body of each successful response that the page gets from the API from now on. */
export function recordReplies(page: Page) {
  const pending: Promise<{ path: string; text: string }>[] = [];
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    // A redirect has no body.
    if (path.startsWith('/api/') && response.status() < 300)
      pending.push(response.text().then((text) => ({ path, text })));
  });
  return { all: () => Promise.all(pending) };
}
