import { classifyRequest, THEME_SCRIPT } from './classify-request.ts';

/* Lets the app open offline. The cache contains the files of the build and one empty page, all of them public, and no
   tutor data. `features/offline` stores tutor data, and only if the tutor has enabled it. */

/** Defined by `build/build-service-worker.ts`. */
declare const BUILD: {
  version: string;
  /** The page's entry script, which identifies its build. */
  entry: string;
  /** What the main pages need. Other files are cached on first use. */
  files: string[];
  /** The paths of the tutor's pages, which open offline. */
  pages: string[];
};
declare const self: ServiceWorkerGlobalScope;

const CACHE_PREFIX = 'lessonbook-build-';
const CACHE_NAME = `${CACHE_PREFIX}${BUILD.version}`;
const APP_HTML = '/index.html';
/** A network that does not respond within this time is treated as offline. */
const NETWORK_TIMEOUT_MS = 5_000;

self.addEventListener('install', (event) => {
  event.waitUntil(precacheBuild());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldCaches());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (classifyRequest(request, self.location.origin, BUILD.pages)) {
    case 'asset':
      event.respondWith(cacheFirst(request));
      break;
    case 'page':
      event.respondWith(networkFirst(request, APP_HTML));
      break;
    case 'theme':
      event.respondWith(networkFirst(request, THEME_SCRIPT));
      break;
    case null:
      break;
  }
});

/**
 * All or nothing: during a deployment the page may belong to a different version, in which case the browser retries later.
 */
async function precacheBuild(): Promise<void> {
  const page = await fetch(APP_HTML, { cache: 'no-store', credentials: 'omit' });
  const text = await page.clone().text();
  if (!page.ok || !text.includes(BUILD.entry))
    throw new Error('The page belongs to a different version');
  const cache = await caches.open(CACHE_NAME);
  await cache.put(APP_HTML, page);
  await cache.addAll([THEME_SCRIPT, ...BUILD.files].map((file) => publicRequest(file)));
  // Activates without waiting for tabs to close: pages come from the network first, and assets of both versions are
  // cached.
  await self.skipWaiting();
}

const publicRequest = (file: string) => new Request(file, { credentials: 'omit' });

/** Open tabs may still run the previous version, so its files are deleted one version later. */
async function deleteOldCaches(): Promise<void> {
  const names = (await caches.keys()).filter(
    (name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME,
  );
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function cacheFirst(request: Request): Promise<Response> {
  const cached = await caches.match(request.url, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok && response.type === 'basic') {
    const cache = await caches.open(CACHE_NAME);
    // If the disk is full, the file is not cached.
    await cache.put(request.url, response.clone()).catch(() => undefined);
  }
  return response;
}

async function networkFirst(request: Request, name: string): Promise<Response> {
  try {
    return await Promise.race([fetch(request), rejectAfterTimeout()]);
  } catch (error) {
    const cache = await caches.open(CACHE_NAME);
    const cached = await cache.match(name, { ignoreVary: true });
    if (cached) return cached;
    throw error;
  }
}

const rejectAfterTimeout = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('Network timeout')), NETWORK_TIMEOUT_MS);
  });
