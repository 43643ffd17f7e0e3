import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* A build as small as can be; what is in the files is none of the server's business. */
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
let without: TestApp;
beforeAll(async () => {
  [app, without] = await Promise.all([
    startTestApp({ WEB_DIST: dist }),
    startTestApp({ WEB_DIST: dist, SERVICE_WORKER: 'off' }),
  ]);
});
afterAll(async () => {
  await Promise.all([app.close(), without.close()]);
  rmSync(dist, { recursive: true });
});

async function fetched(from: TestApp, path: string) {
  const answer = await fetch(`${from.url}${path}`);
  const header = (name: string) => answer.headers.get(name) ?? '';
  return { status: answer.status, header, text: await answer.text() };
}

describe('the installable app', () => {
  test.each([
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/service-worker.js', 'application/javascript'],
    ['/icons/icon-192.png', 'image/png'],
  ])('%s has its type and is asked for anew each time', async (path, type) => {
    const { status, header } = await fetched(app, path);
    expect(status).toBe(200);
    expect(header('content-type')).toContain(type);
    expect(header('cache-control')).toBe('no-cache');
    expect(header('content-security-policy')).toContain("manifest-src 'self'");
    expect(header('content-security-policy')).toContain("worker-src 'self'");
  });

  test('an asset with a hash in its name is kept for good, a page never', async () => {
    const asset = await fetched(app, '/assets/index-abcdefgh.js');
    expect(asset.header('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/', '/dashboard', '/pay/some-token', '/invoices/some-token']) {
      expect((await fetched(app, path)).header('cache-control')).toBe('no-store');
    }
  });

  test('an asset of a version that is gone is not answered with the page', async () => {
    expect((await fetched(app, '/assets/index-zzzzzzzz.js')).status).toBe(404);
  });

  test('switched off, browsers get the worker that leaves in the place of the one that stays', async () => {
    expect((await fetched(app, '/service-worker.js')).text).toBe('// worker');
    const { text, header } = await fetched(without, '/service-worker.js');
    expect(text).toBe('// unregister');
    expect(header('content-type')).toContain('application/javascript');
    expect(header('cache-control')).toBe('no-cache');
  });
});

describe('what may be kept on the way', () => {
  test.each(['/api/me', '/api/sign-in-options', '/api/there-is-nothing', '/api/openapi.json'])(
    '%s is for nobody but the asker',
    async (path) => {
      const { header } = await fetched(app, path);
      expect(header('cache-control')).toBe('private, no-store');
      expect(header('vary')).toBe('Cookie');
    },
  );
});

test.each(['/api/nothing//', '/assets/..%5c..%5cpackage.json', '/api/%00'])(
  '[T12] %s is not there, and no fault of ours',
  async (path) => {
    const { status, text } = await fetched(app, path);
    expect([status, JSON.parse(text)]).toEqual([
      404,
      { code: 'not_found', message: 'There is nothing here.' },
    ]);
  },
);
