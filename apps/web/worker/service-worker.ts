import { kindOf, THEME_SCRIPT } from './requests.ts';

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

const PREFIX = 'lessonbook-build-';
const OWN = `${PREFIX}${BUILD.version}`;
const PAGE = '/index.html';
/** A network that does not answer in this time is treated as none; what it says later is not waited for. */
const PATIENCE_MS = 5_000;

self.addEventListener('install', (event) => {
  event.waitUntil(keepBuild());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (kindOf(request, self.location.origin)) {
    case 'asset':
      event.respondWith(keptElseFetched(request));
      break;
    case 'page':
      event.respondWith(fetchedElseKept(request, PAGE));
      break;
    case 'theme':
      event.respondWith(fetchedElseKept(request, THEME_SCRIPT));
      break;
    case null:
      break;
  }
});

/** All or nothing: while a new version is being put in place the page may be of another one, and then we try again later. */
async function keepBuild(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-store', credentials: 'omit' });
  const text = await page.clone().text();
  if (!page.ok || !text.includes(BUILD.entry)) throw new Error('The page is of another version');
  const cache = await caches.open(OWN);
  await cache.put(PAGE, page);
  await cache.addAll([THEME_SCRIPT, ...BUILD.files].map((file) => publicRequest(file)));
  // Nobody has to close a tab first: pages come from the network while there is one, and assets of both versions are kept.
  await self.skipWaiting();
}

const publicRequest = (file: string) => new Request(file, { credentials: 'omit' });

/** Open tabs may still be of the version before, so its files stay for one more. */
async function takeOver(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function keptElseFetched(request: Request): Promise<Response> {
  const kept = await caches.match(request.url, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && answer.type === 'basic') {
    const cache = await caches.open(OWN);
    // A full disk costs only the memory.
    await cache.put(request.url, answer.clone()).catch(() => undefined);
  }
  return answer;
}

async function fetchedElseKept(request: Request, name: string): Promise<Response> {
  try {
    return await Promise.race([fetch(request), patience()]);
  } catch (problem) {
    const cache = await caches.open(OWN);
    const kept = await cache.match(name, { ignoreVary: true });
    if (kept) return kept;
    throw problem;
  }
}

const patience = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('No answer in time')), PATIENCE_MS);
  });
