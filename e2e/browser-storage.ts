import { expect, type Page } from '@playwright/test';

/* Functions that read the browser's storage directly. */

/** The URL and text of every entry in the service worker's caches. */
export const readCaches = (page: Page): Promise<{ url: string; text: string }[]> =>
  page.evaluate(async () => {
    const found: { url: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        found.push({ url: new URL(request.url).pathname, text: (await response?.text()) ?? '' });
      }
    }
    return found;
  });

/** The contents of IndexedDB, localStorage and sessionStorage, as text. */
export const readStorages = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const all: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name ?? ''));
      for (const storeName of database.objectStoreNames) {
        all.push(await resultOf(database.transaction(storeName).objectStore(storeName).getAll()));
      }
      database.close();
    }
    return JSON.stringify(all);
  });

/** Waits until the service worker is installed and controls this page. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    });
  });
}

/** Switches on 'This is my own device' in the settings and waits until the storage is filled. */
export async function trustThisDevice(page: Page, firstName: string): Promise<void> {
  const toggle = page.getByRole('switch', { name: 'This is my own device' });
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect(toggle).toBeChecked();
  await expect.poll(() => readStorages(page)).toContain(firstName);
}
