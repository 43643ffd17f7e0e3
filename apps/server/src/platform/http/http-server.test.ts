import { Readable } from 'node:stream';
import { accounts } from '@lessonbook/contract/accounts';
import { reports } from '@lessonbook/contract/reports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import {
  parseRouteTree,
  UNDOCUMENTED_ROUTES,
  undocumentedRoutes,
} from '../../test/route-coverage.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('who may come in', () => {
  test('who comes back from somebody else’s page without a login is sent to log in', async () => {
    const ways = app.http.endpoints.filter(
      (endpoint) => endpoint.access === 'login' && endpoint.redirects,
    );
    expect(ways.length).toBeGreaterThan(0);
    for (const endpoint of ways) {
      const answer = await app.browser().send(endpoint.method, endpoint.path);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    }
  });

  test('[API-51, V8.2.1] every call that needs a login answers 401 with a message without one', async () => {
    const closed = app.http.endpoints.filter(
      (endpoint) => endpoint.access === 'login' && !endpoint.redirects,
    );
    expect(closed.length).toBeGreaterThan(4);
    for (const endpoint of closed) {
      const answer = await app
        .browser()
        .send(endpoint.method, endpoint.path.replace(/:\w+/g, '1'), undefined);
      expect([endpoint.path, answer.status]).toEqual([endpoint.path, 401]);
      expect(answer.error.message).toBe('Please log in to continue.');
    }
  });

  test('[V6.3.4, V8.2.1] only the calls that must be are open to everyone', () => {
    const open = app.http.endpoints
      .filter((endpoint) => endpoint.access === 'public')
      .map((endpoint) => endpoint.path);
    expect(open.toSorted()).toEqual([
      '/api/calendar/feeds/:token.ics',
      '/api/email-verification/confirm',
      '/api/google/sign-in',
      '/api/google/sign-in/callback',
      '/api/google/webhooks',
      '/api/login',
      '/api/login/passkey',
      '/api/login/passkey-question',
      '/api/login/second-step',
      '/api/login/second-step',
      '/api/login/second-step/passkey',
      '/api/login/second-step/passkey-question',
      '/api/password-reset',
      '/api/password-reset/confirm',
      '/api/pay/:token',
      '/api/pay/:token/card',
      '/api/pay/:token/pdf',
      '/api/pay/:token/transferred',
      '/api/sign-in-options',
      '/api/signup',
      '/api/social-auth',
      '/api/social-auth/link',
      '/api/social-auth/pending',
      '/api/stripe/webhooks/accounts',
      '/api/stripe/webhooks/payments',
      '/api/unsubscribe/:token',
      '/api/whatsapp/webhooks',
      '/api/whatsapp/webhooks',
    ]);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that only begins like ours', { origin: 'http://127.0.0.1:1.evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['another site by Sec-Fetch-Site', { origin: '', 'sec-fetch-site': 'cross-site' }],
  ])('[V3.5.1] a change that comes from %s is refused', async (_, headers) => {
    const { browser, input } = await createTutor(app);
    const answer = await browser.send(
      'PUT',
      '/api/me',
      { name: 'Forged Name', email: input.email },
      headers,
    );
    expect(answer.status).toBe(403);
    expect((await browser.call(accounts.me)).body.name).toBe(input.name);
  });

  test('[V3.5.2] a form of another site cannot be read as JSON', async () => {
    const { browser } = await createTutor(app);
    const answer = await browser.send('POST', '/api/logout', 'a=b', {
      'content-type': 'text/plain',
    });
    expect(answer.status).toBe(415);
    expect((await browser.call(accounts.me)).status).toBe(200);
  });
});

describe('what comes back', () => {
  test('[T23] security headers on every answer, a fresh request id, and no caching of data', async () => {
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
      'a poisoned prototype',
      '{"__proto__": {"admin": true}, "username": "a", "password": "b"}',
      400,
      'invalid',
    ],
    [
      'too much',
      JSON.stringify({ username: 'a'.repeat(300_000), password: 'b' }),
      413,
      'too_large',
    ],
    ['a NUL character', '{"username": "a\\u0000b", "password": "c"}', 400, 'invalid'],
    ['half a character', '{"username": "a\\ud83db", "password": "c"}', 400, 'invalid'],
    ['the other half', '{"username": "a\\uDE00b", "password": "c"}', 400, 'invalid'],
    ['a whole one', '{"username": "a\\ud83d\\ude00b", "password": "c"}', 401, 'unauthenticated'],
    ['a list', '[]', 400, 'invalid'],
    ['nothing', undefined, 400, 'invalid'],
  ])('%s is refused with a code and a message', async (_, body, status, code) => {
    const answer = await app
      .browser()
      .send('POST', '/api/login', body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(status);
    expect(answer.error.code).toBe(code);
    expect(answer.error.message).not.toBe('');
  });

  test.each([
    ['in a path', 'DELETE', '/api/passkeys/a%00b'],
    ['in a query', 'GET', '/api/payments?period=a%00b'],
    ['in a list in a query', 'GET', '/api/payments?period=a&period=%00'],
    ['in the address of a page without a login', 'GET', '/api/pay/a%00b'],
  ])('a NUL character %s is refused as one in a body is', async (_, method, path) => {
    const { browser } = await createTutor(app);
    const answer = await browser.send(method, path);
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
  });

  test('a file that cannot be read is answered like any other fault, not as a file', async () => {
    const http = await buildApp(app.context);
    const endpoint = { ...reports.earningsCsv, path: '/api/broken.zip', access: 'public' } as const;
    http.onFile({ ...endpoint, file: 'application/zip' }, async () => ({
      name: 'broken.zip',
      body: Readable.from(
        (async function* broken() {
          yield* [];
          throw new Error('the disk is gone');
        })(),
      ),
    }));
    const answer = await http.fastify.inject('/api/broken.zip');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      500,
      'application/json; charset=utf-8',
    ]);
    expect(answer.headers['content-disposition']).toBeUndefined();
    expect(answer.json()).toMatchObject({ code: 'internal' });
    await http.fastify.close();
  });

  test('a stream has no beginning to be asked for alone: it would never be answered', async () => {
    const { browser } = await createTutor(app);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const head = async (path: string) =>
      (await fetch(app.url + path, { method: 'HEAD', headers: { cookie } })).status;
    expect(await head('/api/notifications/stream')).toBe(404);
    expect(await head('/api/me')).toBe(200);
  });

  test('an unknown call answers 404 in JSON', async () => {
    const answer = await app.browser().send('GET', '/api/nothing');
    expect(answer.status).toBe(404);
    expect(answer.error.code).toBe('not_found');
  });
});

describe('the description', () => {
  test('[V13.4.5, T08] lists exactly the calls that are served', async () => {
    const answer = await app.browser().send('GET', '/api/openapi.json');
    const { openapi, paths } = answer.body as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(openapi).toBe('3.1.0');
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const tree = app.http.fastify.printRoutes({ commonPrefix: false });
    expect(undocumentedRoutes(tree, described)).toEqual([]);
    const served = parseRouteTree(tree).filter((route) => !(route in UNDOCUMENTED_ROUTES));
    expect(served.length).toBeGreaterThan(10);
    expect(served.toSorted()).toEqual(described.toSorted());
  });

  test('[T08] a route that was never described is found', async () => {
    const { fastify } = await buildApp(app.context);
    fastify.get('/api/forgotten/:id', async () => ({}));
    await fastify.ready();
    const described = app.http.endpoints.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    const tree = fastify.printRoutes({ commonPrefix: false });
    expect(undocumentedRoutes(tree, described)).toEqual(['get /api/forgotten/{id}']);
    await fastify.close();
  });

  test('has a page to read it, without scripts', async () => {
    const answer = await app.browser().send('GET', '/api/docs');
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('PUT /api/me');
    expect(answer.body).not.toContain('<script');
  });
});

describe('the operator', () => {
  test('asks /healthz, /readyz and /metrics', async () => {
    expect((await app.browser().send('GET', '/healthz')).status).toBe(200);
    expect((await app.browser().send('GET', '/readyz')).status).toBe(200);
    const metrics = await app.browser().send('GET', '/metrics');
    expect(metrics.body).toContain('lessonbook_http_request_seconds_bucket');
    expect(metrics.body).not.toMatch(/@example\.com|ada\d/);
  });
});
