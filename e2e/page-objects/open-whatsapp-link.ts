import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Replaces WhatsApp with an empty page. */
export async function stubWhatsApp(page: Page): Promise<void> {
  await page
    .context()
    .route('https://wa.me/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>WhatsApp</title>' }),
    );
}

/** Clicks a link to WhatsApp and returns the number and text in its URL. */
export async function openWhatsApp(
  page: Page,
  click: (target: Locator) => Promise<void>,
  target: Locator,
): Promise<{ number: string; text: string }> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), click(target)]);
  await expect(tab).toHaveTitle('WhatsApp');
  const { pathname, searchParams } = new URL(tab.url());
  await tab.close();
  return { number: pathname.slice(1), text: searchParams.get('text') ?? '' };
}
