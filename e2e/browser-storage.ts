import { expect, type Page } from '@playwright/test';

/* What a browser has kept, read past everything the app says about it. */

/** All addresses and texts in the worker's caches. */
export const readCaches = (page: Page): Promise<{ url: string; text: string }[]> =>
  page.evaluate(async () => {
    const found: { url: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const kept = await cache.match(request);
        found.push({ url: new URL(request.url).pathname, text: (await kept?.text()) ?? '' });
      }
    }
    return found;
  });

/** Everything in every IndexedDB, and in the two small storages, as text. */
export const readStorages = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const heard = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const all: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name } of await indexedDB.databases()) {
      const database = await heard(indexedDB.open(name ?? ''));
      for (const shelf of database.objectStoreNames) {
        all.push(await heard(database.transaction(shelf).objectStore(shelf).getAll()));
      }
      database.close();
    }
    return JSON.stringify(all);
  });

/** The worker has everything it wants to keep, and answers for this page. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    });
  });
}

/** Says 'This is my own device' in the settings, and waits until that shows in the storage. */
export async function trustThisDevice(page: Page, firstName: string): Promise<void> {
  const own = page.getByRole('switch', { name: 'This is my own device' });
  await expect(own).not.toBeChecked();
  await own.click();
  await expect(own).toBeChecked();
  await expect.poll(() => readStorages(page)).toContain(firstName);
}
