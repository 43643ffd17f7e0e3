import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSignupInput } from '../test/create-tutor.ts';
import { createTutorWithTotp, startMfaTestApp } from '../test/mfa-test-app.ts';
import type { TestApp } from '../test/test-app.ts';

/** Configured as in production: https, the web app and the real rate limits. */
let app: TestApp;
let dist: string;
let responses: { name: string; path: string; status: number; headers: Headers; file: boolean }[];

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'lessonbook-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Lessonbook</title>');
  writeFileSync(join(dist, 'assets/app-1a2b.js'), 'export {};');
  writeFileSync(join(dist, 'assets/app-1a2b.css'), 'body{}');
  writeFileSync(join(dist, '.env'), 'SECRET_KEY=canary');
  mkdirSync(join(dist, '.git'));
  writeFileSync(join(dist, '.git/config'), 'canary');
  app = await startMfaTestApp({
    APP_URL: 'https://book.example',
    WEB_DIST: dist,
    RATE_LIMIT_FACTOR: '1',
  });
  responses = await collectResponses();
});
afterAll(async () => {
  await app.close();
  rmSync(dist, { recursive: true });
});

/** Fetches every endpoint, every page and some unknown paths, with and without a login. */
async function collectResponses() {
  const tutor = app.browser();
  const input = newSignupInput();
  await tutor.call(accounts.signup, { body: input });
  await tutor.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
  const calls = app.http.endpoints
    .filter(({ file, path }) => file !== 'text/event-stream' && path !== '/api/logout')
    .map(({ method, path, file }) => ({ method, path: path.replace(/:\w+/g, '1'), file: !!file }));
  const pages = ['/', '/login', '/healthz', '/readyz', '/metrics', '/api/nothing', '/api/docs']
    .concat(['/api/openapi.json', '/assets/app-1a2b.js', '/assets/app-1a2b.css', '/assets/none.js'])
    .map((path) => ({ method: 'GET', path, file: false }));
  const headRequests = pages.map(({ path }) => ({ method: 'HEAD', path, file: false }));
  const collected = [];
  for (const { method, path, file } of [...calls, ...pages, ...headRequests])
    for (const [user, browser] of [
      ['tutor', tutor],
      ['anonymous', app.browser()],
    ] as const) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : {};
      const { status, headers } = await browser.send(method, path, body);
      collected.push({ name: `${user} ${method} ${path}`, path, status, headers, file });
    }
  return collected;
}

/** Returns the names of the responses that fail the check. */
const failingResponses = (
  check: (headers: Headers, response: (typeof responses)[number]) => boolean,
) => responses.filter((response) => !check(response.headers, response)).map(({ name }) => name);

describe('every response', () => {
  test('the collected responses cover many endpoints and statuses', () => {
    const statuses = new Set(responses.map(({ status }) => status));
    expect(responses.length).toBeGreaterThan(250);
    for (const status of [200, 400, 401, 404]) expect(statuses).toContain(status);
  });

  test('[V3.4.1] has HSTS for two years, including subdomains', () => {
    const expected = 'max-age=63072000; includeSubDomains';
    expect(
      failingResponses((headers) => headers.get('strict-transport-security') === expected),
    ).toEqual([]);
  });

  test('[V3.4.3, V3.7.1] allows scripts only from our own files, and no plug-ins', () => {
    const policies = new Set(
      responses.map(({ headers }) => headers.get('content-security-policy')),
    );
    expect(policies.size).toBe(1);
    const [policy = ''] = policies;
    const rules = new Map(
      (policy ?? '').split('; ').map((rule) => {
        const [name = '', ...values] = rule.split(' ');
        return [name, values.join(' ')];
      }),
    );
    expect(rules.get('default-src')).toBe("'none'");
    expect(rules.get('script-src')).toBe("'self'");
    expect(rules.get('object-src')).toBe("'none'");
    expect(rules.get('base-uri')).toBe("'none'");
    expect(rules.get('form-action')).toBe("'self'");
    expect(policy).not.toMatch(/unsafe-eval|\*|https?:/);
  });

  test('[V3.4.4] disables content type sniffing', () => {
    expect(
      failingResponses((headers) => headers.get('x-content-type-options') === 'nosniff'),
    ).toEqual([]);
  });

  test('[V3.4.5] does not send a referrer to other sites', () => {
    expect(failingResponses((headers) => headers.get('referrer-policy') === 'same-origin')).toEqual(
      [],
    );
  });

  test('[V3.4.6] cannot be framed and is isolated from its opener', () => {
    expect(
      failingResponses(
        (headers) =>
          (headers.get('content-security-policy') ?? '').includes("frame-ancestors 'none'") &&
          headers.get('x-frame-options') === 'DENY' &&
          headers.get('cross-origin-opener-policy') === 'same-origin' &&
          headers.get('cross-origin-resource-policy') === 'same-origin',
      ),
    ).toEqual([]);
  });

  test('[V3.4.2] allows no other origin (CORS)', async () => {
    expect(failingResponses((headers) => !headers.has('access-control-allow-origin'))).toEqual([]);
    for (const origin of ['https://evil.example', 'null', 'https://book.example.evil.example']) {
      const preflight = { origin, 'access-control-request-method': 'PUT' };
      const { status, headers } = await app
        .browser()
        .send('OPTIONS', '/api/me', undefined, preflight);
      expect(status).toBe(404);
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test('[V4.1.1] has a content type, with a charset for text', () => {
    const withBody = responses.filter(
      ({ status, name }) => ![204, 303, 304].includes(status) && !name.includes(' HEAD '),
    );
    const types = withBody.map(({ name, headers }) => [name, headers.get('content-type') ?? '']);
    const known =
      /^((text\/\w+|application\/(json|javascript)); ?.*charset=utf-8|application\/(pdf|zip)$)/i;
    expect(types.filter(([, type = '']) => !known.test(type))).toEqual([]);
  });

  test('[V14.2.2, V14.3.2] is not stored by proxies or the browser if it contains data', () => {
    const data = responses.filter(
      ({ path }) => path.startsWith('/api/') && !/docs|openapi|feeds|nothing/.test(path),
    );
    expect(data.length).toBeGreaterThan(200);
    const cacheable = data.filter(
      ({ headers }) => !/\bno-store\b/.test(headers.get('cache-control') ?? ''),
    );
    expect(cacheable.map(({ name }) => name)).toEqual([]);
  });

  test('[V4.1.2] never redirects an API call from http to https', () => {
    const redirected = responses.filter(({ path, headers }) => {
      const location = headers.get('location');
      return location !== null && new URL(location, 'https://book.example').pathname === path;
    });
    expect(redirected.map(({ name }) => name)).toEqual([]);
  });
});

describe('content', () => {
  test('[V3.2.1] files are downloaded, never rendered in our origin, and data is JSON', () => {
    const files = responses.filter(
      ({ path, headers, status }) =>
        path.startsWith('/api/') &&
        status < 400 &&
        path !== '/api/docs' &&
        !/json/.test(headers.get('content-type') ?? '') &&
        status !== 303,
    );
    expect(files.length).toBeGreaterThan(0);
    for (const { name, headers } of files)
      expect([name, headers.get('content-disposition')]).toEqual([
        name,
        expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
      ]);
  });

  test('[V13.4.1, V13.4.3] directories are not listed, and hidden files are not served', async () => {
    for (const path of [
      '/assets',
      '/assets/',
      '/.git/config',
      '/.git/',
      '/.env',
      '/%2e%67it/config',
    ]) {
      const { status, body } = await app.browser().send('GET', path);
      // Unknown paths return the app's page, because the router in the browser handles them.
      expect(JSON.stringify([path, status, body])).not.toMatch(/canary|app-1a2b|Index of/);
    }
  });

  test('[V5.3.1, V5.3.2] path traversal is impossible', async () => {
    const outside = `/${'../'.repeat(8)}etc/passwd`;
    const paths = [
      outside,
      `/assets${outside}`,
      '/assets/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%5c..%5cetc%5cpasswd',
      '/assets/%252e%252e%252f%252e%252e%252fetc%252fpasswd',
      '/assets/app-1a2b.js%00.html',
      '/assets//etc/passwd',
    ];
    for (const path of paths) {
      const { body } = await app.browser().send('GET', path);
      expect(JSON.stringify([path, body])).not.toContain('root:');
    }
  });
});

describe('cookies', () => {
  /** Returns the Set-Cookie headers by cookie name. */
  const setCookies = (headers: Headers) =>
    new Map(headers.getSetCookie().map((line) => [line.split('=')[0] ?? '', line]));

  test('[V3.3.1, V3.3.2, V3.3.3, V3.3.4] have the __Host- prefix, Secure, HttpOnly and SameSite, and no body contains their value', async () => {
    const { input } = await createTutorWithTotp(app);
    const { username, password } = input;
    const challenge = await app.browser().call(accounts.login, { body: { username, password } });
    const withoutMfa = newSignupInput();
    await app.browser().call(accounts.signup, { body: withoutMfa });
    const login = await app.browser().call(accounts.login, {
      body: { username: withoutMfa.username, password: withoutMfa.password },
    });
    const passkey = await app.browser().call(mfa.passkeyLoginOptions);
    const cookies = [challenge, login, passkey].flatMap((response) => {
      const set = [...setCookies(response.headers)];
      for (const [, line] of set) {
        const value = /=([^;]+)/.exec(line)?.[1] ?? '';
        expect(JSON.stringify(response.body)).not.toContain(value);
      }
      return set;
    });
    expect(cookies.map(([name]) => name).toSorted()).toEqual([
      '__Host-lessonbook',
      '__Host-lessonbook-device',
      '__Host-lessonbook-passkey',
      '__Host-lessonbook-step',
    ]);
    for (const [name, line] of cookies) {
      const flags = line.split('; ').slice(1);
      expect([name, flags]).toEqual([
        name,
        expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
      ]);
      expect(line).not.toMatch(/Domain=/i);
    }
  });
});
