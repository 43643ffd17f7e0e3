import { Readable } from 'node:stream';
import { accounts } from '@lessonbook/contract/accounts';
import { reports } from '@lessonbook/contract/reports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  parseRouteTree,
  UNDOCUMENTED_ROUTES,
  undocumentedRoutes,
} from '../../test/undocumented-routes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('access', () => {
  test('a redirect endpoint redirects visitors who are not logged in to /login', async () => {
    const redirects = app.http.endpoints.filter(
      (endpoint) => endpoint.access === 'login' && endpoint.redirects,
    );
    expect(redirects.length).toBeGreaterThan(0);
    for (const endpoint of redirects) {
      const response = await app.browser().send(endpoint.method, endpoint.path);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/login']);
    }
  });

  test('[API-51, V8.2.1] every endpoint that requires a login returns 401 and a message if there is none', async () => {
    const protectedEndpoints = app.http.endpoints.filter(
      (endpoint) => endpoint.access === 'login' && !endpoint.redirects,
    );
    expect(protectedEndpoints.length).toBeGreaterThan(4);
    for (const endpoint of protectedEndpoints) {
      const response = await app
        .browser()
        .send(endpoint.method, endpoint.path.replace(/:\w+/g, '1'), undefined);
      expect([endpoint.path, response.status]).toEqual([endpoint.path, 401]);
      expect(response.error.message).toBe('Please log in to continue.');
    }
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that starts like ours', { origin: 'http://127.0.0.1:1.evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['another site, according to Sec-Fetch-Site', { origin: '', 'sec-fetch-site': 'cross-site' }],
  ])('[V3.5.1] rejects a state-changing request from %s', async (_, headers) => {
    const { browser, input } = await createTutor(app);
    const response = await browser.send(
      'PUT',
      '/api/me',
      { name: 'Forged Name', email: input.email },
      headers,
    );
    expect(response.status).toBe(403);
    expect((await browser.call(accounts.me)).body.name).toBe(input.name);
  });

  test('[V3.5.2] rejects a form post from another site', async () => {
    const { browser } = await createTutor(app);
    const response = await browser.send('POST', '/api/logout', 'a=b', {
      'content-type': 'text/plain',
    });
    expect(response.status).toBe(415);
    expect((await browser.call(accounts.me)).status).toBe(200);
  });
});

describe('responses', () => {
  test('[T23] have security headers and a request id, and are not cached', async () => {
    const { browser } = await createTutor(app);
    const { headers } = await browser.call(accounts.me);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('vary')).toBe('Cookie');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['broken JSON', '{"name":', 400, 'invalid'],
    [
      'a __proto__ key',
      '{"__proto__": {"admin": true}, "username": "a", "password": "b"}',
      400,
      'invalid',
    ],
    [
      'a body that is too large',
      JSON.stringify({ username: 'a'.repeat(300_000), password: 'b' }),
      413,
      'too_large',
    ],
    ['a NUL character', '{"username": "a\\u0000b", "password": "c"}', 400, 'invalid'],
    ['an unpaired high surrogate', '{"username": "a\\ud83db", "password": "c"}', 400, 'invalid'],
    ['an unpaired low surrogate', '{"username": "a\\uDE00b", "password": "c"}', 400, 'invalid'],
    [
      'a surrogate pair',
      '{"username": "a\\ud83d\\ude00b", "password": "c"}',
      401,
      'unauthenticated',
    ],
    ['a list', '[]', 400, 'invalid'],
    ['no body', undefined, 400, 'invalid'],
  ])('a login with %s gets the expected status and code', async (_, body, status, code) => {
    const response = await app
      .browser()
      .send('POST', '/api/login', body, { 'content-type': 'application/json' });
    expect(response.status).toBe(status);
    expect(response.error.code).toBe(code);
    expect(response.error.message).not.toBe('');
  });

  test.each([
    ['in a path', 'DELETE', '/api/passkeys/a%00b'],
    ['in a query', 'GET', '/api/payments?period=a%00b'],
    ['in a list in a query', 'GET', '/api/payments?period=a&period=%00'],
    ['in the path of a public endpoint', 'GET', '/api/pay/a%00b'],
  ])('rejects a NUL character %s', async (_, method, path) => {
    const { browser } = await createTutor(app);
    const response = await browser.send(method, path);
    expect([response.status, response.error.code]).toEqual([400, 'invalid']);
  });

  test('a file endpoint that fails returns a JSON error', async () => {
    const http = await buildApp(app.context);
    const endpoint = { ...reports.earningsCsv, path: '/api/broken.zip', access: 'public' } as const;
    http.onFile({ ...endpoint, file: 'application/zip' }, async () => ({
      name: 'broken.zip',
      body: Readable.from(
        (async function* broken() {
          yield* [];
          throw new Error('disk failure');
        })(),
      ),
    }));
    const response = await http.fastify.inject('/api/broken.zip');
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      500,
      'application/json; charset=utf-8',
    ]);
    expect(response.headers['content-disposition']).toBeUndefined();
    expect(response.json()).toMatchObject({ code: 'internal' });
    await http.fastify.close();
  });

  test('HEAD is not supported for the event stream', async () => {
    const { browser } = await createTutor(app);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const head = async (path: string) =>
      (await fetch(app.url + path, { method: 'HEAD', headers: { cookie } })).status;
    expect(await head('/api/notifications/stream')).toBe(404);
    expect(await head('/api/me')).toBe(200);
  });

  test('an unknown path returns 404 as JSON', async () => {
    const response = await app.browser().send('GET', '/api/nothing');
    expect(response.status).toBe(404);
    expect(response.error.code).toBe('not_found');
  });
});

describe('OpenAPI', () => {
  test('[V13.4.5, T08] documents exactly the routes that are served', async () => {
    const response = await app.browser().send('GET', '/api/openapi.json');
    const { openapi, paths } = response.body as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(openapi).toBe('3.1.0');
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const tree = app.http.fastify.printRoutes({ commonPrefix: false });
    expect(undocumentedRoutes(tree, documented)).toEqual([]);
    const served = parseRouteTree(tree).filter((route) => !(route in UNDOCUMENTED_ROUTES));
    expect(served.length).toBeGreaterThan(10);
    expect(served.toSorted()).toEqual(documented.toSorted());
  });

  test.each(['/api/docs', '/api/openapi.json'])(
    'F04 %s is built once, and a browser that has cached it receives no body',
    async (path) => {
      const first = await fetch(app.url + path);
      const body = await first.text();
      const etag = first.headers.get('etag') ?? '';
      const before = process.threadCpuUsage();
      const others = await Promise.all(
        Array.from({ length: 50 }, async () => (await fetch(app.url + path)).text()),
      );
      const { user, system } = process.threadCpuUsage(before);
      expect(new Set(others)).toEqual(new Set([body]));
      // Building the document 50 times took 4.9 seconds.
      expect((user + system) / 1e6).toBeLessThan(2.5);
      const unchanged = await fetch(app.url + path, { headers: { 'if-none-match': etag } });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    },
  );

  test('[T08] the check for undocumented routes detects one', async () => {
    const { fastify } = await buildApp(app.context);
    fastify.get('/api/forgotten/:id', async () => ({}));
    await fastify.ready();
    const documented = app.http.endpoints.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    const tree = fastify.printRoutes({ commonPrefix: false });
    expect(undocumentedRoutes(tree, documented)).toEqual(['get /api/forgotten/{id}']);
    await fastify.close();
  });

  test('the documentation page has no scripts', async () => {
    const response = await app.browser().send('GET', '/api/docs');
    expect(response.status).toBe(200);
    expect(response.body).toContain('PUT /api/me');
    expect(response.body).not.toContain('<script');
  });
});

describe('monitoring', () => {
  test('serves /healthz, /readyz and /metrics', async () => {
    expect((await app.browser().send('GET', '/healthz')).status).toBe(200);
    expect((await app.browser().send('GET', '/readyz')).status).toBe(200);
    const metrics = await app.browser().send('GET', '/metrics');
    expect(metrics.body).toContain('lessonbook_http_request_seconds_bucket');
    expect(metrics.body).not.toMatch(/@example\.com|ada\d/);
  });
});
