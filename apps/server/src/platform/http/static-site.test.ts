import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* A minimal build; the contents of the files do not matter. */
const dist = mkdtempSync(join(tmpdir(), 'lessonbook-web-'));
mkdirSync(join(dist, 'assets'));
mkdirSync(join(dist, 'icons'));
const files = {
  'index.html': '<title>app</title>',
  'landing.html': '<title>landing</title>',
  'manifest.webmanifest': '{"name":"Lessonbook"}',
  'service-worker.js': '// worker',
  'unregister.js': '// unregister',
  'icons/icon-192.png': 'PNG',
  'assets/index-abcdefgh.js': '// asset',
};
for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content);

let app: TestApp;
let appWithoutWorker: TestApp;
beforeAll(async () => {
  [app, appWithoutWorker] = await Promise.all([
    startTestApp({ WEB_DIST: dist }),
    startTestApp({ WEB_DIST: dist, SERVICE_WORKER: 'off' }),
  ]);
});
afterAll(async () => {
  await Promise.all([app.close(), appWithoutWorker.close()]);
  rmSync(dist, { recursive: true });
});

async function fetchFrom(target: TestApp, path: string) {
  const response = await fetch(`${target.url}${path}`);
  const header = (name: string) => response.headers.get(name) ?? '';
  return { status: response.status, header, text: await response.text() };
}

describe('the installable app', () => {
  test.each([
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/service-worker.js', 'application/javascript'],
    ['/icons/icon-192.png', 'image/png'],
  ])('%s is served as %s and revalidated every time', async (path, type) => {
    const { status, header } = await fetchFrom(app, path);
    expect(status).toBe(200);
    expect(header('content-type')).toContain(type);
    expect(header('cache-control')).toBe('no-cache');
    expect(header('content-security-policy')).toContain("manifest-src 'self'");
    expect(header('content-security-policy')).toContain("worker-src 'self'");
  });

  test('assets with a hash in their name are cached indefinitely; pages are never cached', async () => {
    const asset = await fetchFrom(app, '/assets/index-abcdefgh.js');
    expect(asset.header('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/', '/dashboard', '/pay/some-token', '/invoices/some-token']) {
      expect((await fetchFrom(app, path)).header('cache-control')).toBe('no-store');
    }
  });

  test('a missing asset returns 404 rather than the page', async () => {
    expect((await fetchFrom(app, '/assets/index-zzzzzzzz.js')).status).toBe(404);
  });

  test('SERVICE_WORKER=off serves the worker that unregisters itself', async () => {
    expect((await fetchFrom(app, '/service-worker.js')).text).toBe('// worker');
    const { text, header } = await fetchFrom(appWithoutWorker, '/service-worker.js');
    expect(text).toBe('// unregister');
    expect(header('content-type')).toContain('application/javascript');
    expect(header('cache-control')).toBe('no-cache');
  });
});

describe('caching of API responses', () => {
  test.each([
    ['', '/api/me'],
    ['', '/api/sign-in-options'],
    ['', '/api/there-is-nothing'],
    ['F38 ', '/%61pi/me'],
    ['F38 ', '/%61pi/there-is-nothing'],
  ])('%s%s must not be stored', async (_, path) => {
    const { header } = await fetchFrom(app, path);
    expect(header('cache-control')).toBe('private, no-store');
    expect(header('vary')).toBe('Cookie');
  });
});

test.each(['/api/nothing//', '/assets/..%5c..%5cpackage.json', '/api/%00'])(
  '[T12] %s returns 404',
  async (path) => {
    const { status, text } = await fetchFrom(app, path);
    expect([status, JSON.parse(text)]).toEqual([
      404,
      { code: 'not_found', message: "We couldn't find that." },
    ]);
  },
);
