import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Nobody really leaves for WhatsApp: what stands at its address is a page of ours. */
export async function stubWhatsApp(page: Page): Promise<void> {
  await page
    .context()
    .route('https://wa.me/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>WhatsApp</title>' }),
    );
}

/** Presses what opens WhatsApp, and hands over the number and the words that it was opened with. */
export async function openWhatsApp(
  page: Page,
  press: (target: Locator) => Promise<void>,
  target: Locator,
): Promise<{ number: string; words: string }> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), press(target)]);
  await expect(tab).toHaveTitle('WhatsApp');
  const { pathname, searchParams } = new URL(tab.url());
  await tab.close();
  return { number: pathname.slice(1), words: searchParams.get('text') ?? '' };
}
