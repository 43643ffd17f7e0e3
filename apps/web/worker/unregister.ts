/*
 * Takes the place of the service worker when `SERVICE_WORKER` is off: browsers that have one fetch this instead, within a
 * day at most, and are rid of it. Open pages stay as they are.
 */
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
