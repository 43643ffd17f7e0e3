/* Replaces the service worker when `SERVICE_WORKER` is off: browsers with the worker installed fetch this file
   within a day, and it unregisters itself. Open pages are not affected. */
declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', () => {
  void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(unregisterAndClearCaches());
});

async function unregisterAndClearCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
