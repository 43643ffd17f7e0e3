import { classifyRequest, THEME_SCRIPT } from './classify-request.ts';

/*
 * Makes the app open without a network. It keeps the files of the build and one empty page, all of them public, and
 * nothing a tutor has written: that is what `features/offline` is for, and only where the tutor wants it.
 */

/** Written in by `build/service-worker.ts`. */
declare const BUILD: {
  version: string;
  /** The script that the page starts with: tells whether a page belongs to this build. */
  entry: string;
  /** What the main screens need. Everything else is kept once it was used. */
  files: string[];
};
declare const self: ServiceWorkerGlobalScope;

const CACHE_PREFIX = 'lessonbook-build-';
const CACHE_NAME = `${CACHE_PREFIX}${BUILD.version}`;
const PAGE = '/index.html';
/** A network that does not answer in this time is treated as none; what it says later is not waited for. */
const NETWORK_TIMEOUT_MS = 5_000;

self.addEventListener('install', (event) => {
  event.waitUntil(precacheBuild());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldCaches());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (classifyRequest(request, self.location.origin)) {
    case 'asset':
      event.respondWith(cacheFirst(request));
      break;
    case 'page':
      event.respondWith(networkFirst(request, PAGE));
      break;
    case 'theme':
      event.respondWith(networkFirst(request, THEME_SCRIPT));
      break;
    case null:
      break;
  }
});

/** All or nothing: while a new version is being put in place the page may be of another one, and then we try again later. */
async function precacheBuild(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-store', credentials: 'omit' });
  const text = await page.clone().text();
  if (!page.ok || !text.includes(BUILD.entry)) throw new Error('The page is of another version');
  const cache = await caches.open(CACHE_NAME);
  await cache.put(PAGE, page);
  await cache.addAll([THEME_SCRIPT, ...BUILD.files].map((file) => publicRequest(file)));
  // Nobody has to close a tab first: pages come from the network while there is one, and assets of both versions are kept.
  await self.skipWaiting();
}

const publicRequest = (file: string) => new Request(file, { credentials: 'omit' });

/** Open tabs may still be of the version before, so its files stay for one more. */
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
    // A full disk costs only the memory.
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
    setTimeout(() => reject(new Error('No answer in time')), NETWORK_TIMEOUT_MS);
  });
