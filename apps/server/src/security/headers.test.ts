import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutorWithTotp, startMfaTestApp } from '../test/mfa-test-app.ts';
import type { TestApp } from '../test/test-app.ts';
import { newSignupInput } from '../test/tutor.ts';

/** As it stands on the internet: behind https, with pages, at the limits that hold there. */
let app: TestApp;
let dist: string;
let answers: { name: string; path: string; status: number; headers: Headers; file: boolean }[];

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
  answers = await everyAnswer();
});
afterAll(async () => {
  await app.close();
  rmSync(dist, { recursive: true });
});

/** One answer of every call there is, of every page, and of what is not there; as a tutor and as nobody. */
async function everyAnswer() {
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
  const heads = pages.map(({ path }) => ({ method: 'HEAD', path, file: false }));
  const seen = [];
  for (const { method, path, file } of [...calls, ...pages, ...heads])
    for (const [who, browser] of [
      ['tutor', tutor],
      ['nobody', app.browser()],
    ] as const) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : {};
      const { status, headers } = await browser.send(method, path, body);
      seen.push({ name: `${who} ${method} ${path}`, path, status, headers, file });
    }
  return seen;
}

/** Those answers for which it does not hold; none is what we want to read. */
const exceptions = (holds: (headers: Headers, answer: (typeof answers)[number]) => boolean) =>
  answers.filter((answer) => !holds(answer.headers, answer)).map(({ name }) => name);

describe('every answer, whoever asks and whatever comes of it', () => {
  test('there are many, of all kinds', () => {
    const statuses = new Set(answers.map(({ status }) => status));
    expect(answers.length).toBeGreaterThan(250);
    for (const status of [200, 400, 401, 404]) expect(statuses).toContain(status);
  });

  test('[V3.4.1] wants https for two years, for all names below ours too', () => {
    const wanted = 'max-age=63072000; includeSubDomains';
    expect(exceptions((headers) => headers.get('strict-transport-security') === wanted)).toEqual(
      [],
    );
  });

  test('[V3.4.3, V3.7.1] allows scripts from our own files alone, and no plug-ins', () => {
    const policies = new Set(answers.map(({ headers }) => headers.get('content-security-policy')));
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

  test('[V3.4.4] is what it says it is, and nothing may be guessed', () => {
    expect(exceptions((headers) => headers.get('x-content-type-options') === 'nosniff')).toEqual(
      [],
    );
  });

  test('[V3.4.5] tells no other site our addresses', () => {
    expect(exceptions((headers) => headers.get('referrer-policy') === 'same-origin')).toEqual([]);
  });

  test('[V3.4.6] stands in nobody’s frame, and shares no window with who opened it', () => {
    expect(
      exceptions(
        (headers) =>
          (headers.get('content-security-policy') ?? '').includes("frame-ancestors 'none'") &&
          headers.get('x-frame-options') === 'DENY' &&
          headers.get('cross-origin-opener-policy') === 'same-origin' &&
          headers.get('cross-origin-resource-policy') === 'same-origin',
      ),
    ).toEqual([]);
  });

  test('[V3.4.2] is for our own pages: no other origin is let in, neither by name nor by star', async () => {
    expect(exceptions((headers) => !headers.has('access-control-allow-origin'))).toEqual([]);
    for (const origin of ['https://evil.example', 'null', 'https://book.example.evil.example']) {
      const asked = { origin, 'access-control-request-method': 'PUT' };
      const { status, headers } = await app.browser().send('OPTIONS', '/api/me', undefined, asked);
      expect(status).toBe(404);
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test('[V4.1.1] names its type, and the alphabet of what is text', () => {
    const withBody = answers.filter(
      ({ status, name }) => ![204, 303, 304].includes(status) && !name.includes(' HEAD '),
    );
    const types = withBody.map(({ name, headers }) => [name, headers.get('content-type') ?? '']);
    const known =
      /^((text\/\w+|application\/(json|javascript)); ?.*charset=utf-8|application\/(pdf|zip)$)/i;
    expect(types.filter(([, type = '']) => !known.test(type))).toEqual([]);
  });

  test('[V14.2.2, V14.3.2] that belongs to somebody is kept by no cache on the way and by no browser', () => {
    const data = answers.filter(
      ({ path }) => path.startsWith('/api/') && !/docs|openapi|feeds|nothing/.test(path),
    );
    expect(data.length).toBeGreaterThan(200);
    const kept = data.filter(
      ({ headers }) => !/\bno-store\b/.test(headers.get('cache-control') ?? ''),
    );
    expect(kept.map(({ name }) => name)).toEqual([]);
  });

  test('[V4.1.2] answers a call over plain http as it is, and sends none on to https', () => {
    const sentOn = answers.filter(({ path, headers }) => {
      const place = headers.get('location');
      return place !== null && new URL(place, 'https://book.example').pathname === path;
    });
    expect(sentOn.map(({ name }) => name)).toEqual([]);
  });
});

describe('what a browser would show', () => {
  test('[V3.2.1] files are to be saved, never opened in our name; data is JSON', () => {
    const shown = answers.filter(
      ({ path, headers, status }) =>
        path.startsWith('/api/') &&
        status < 400 &&
        path !== '/api/docs' &&
        !/json/.test(headers.get('content-type') ?? '') &&
        status !== 303,
    );
    expect(shown.length).toBeGreaterThan(0);
    for (const { name, headers } of shown)
      expect([name, headers.get('content-disposition')]).toEqual([
        name,
        expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
      ]);
  });

  test('[V13.4.1, V13.4.3] no folder is listed, and nothing that begins with a dot is given out', async () => {
    for (const path of [
      '/assets',
      '/assets/',
      '/.git/config',
      '/.git/',
      '/.env',
      '/%2e%67it/config',
    ]) {
      const { status, body } = await app.browser().send('GET', path);
      // An address that is none of ours belongs to the router in the browser: the same empty page for all.
      expect(JSON.stringify([path, status, body])).not.toMatch(/canary|app-1a2b|Index of/);
    }
  });

  test('[V5.3.1, V5.3.2] no address leads out of the folder of the pages', async () => {
    const outside = `/${'../'.repeat(8)}etc/passwd`;
    const ways = [
      outside,
      `/assets${outside}`,
      '/assets/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%5c..%5cetc%5cpasswd',
      '/assets/%252e%252e%252f%252e%252e%252fetc%252fpasswd',
      '/assets/app-1a2b.js%00.html',
      '/assets//etc/passwd',
    ];
    for (const path of ways) {
      const { body } = await app.browser().send('GET', path);
      expect(JSON.stringify([path, body])).not.toContain('root:');
    }
  });
});

describe('cookies', () => {
  /** As the browser is told them, by name. */
  const toldBy = (headers: Headers) =>
    new Map(headers.getSetCookie().map((line) => [line.split('=')[0] ?? '', line]));

  test('[V3.3.1, V3.3.2, V3.3.3, V3.3.4] each is for this very host, https, no script and no other site; its value is told nowhere else', async () => {
    const { input } = await createTutorWithTotp(app);
    const { username, password } = input;
    const step = await app.browser().call(accounts.login, { body: { username, password } });
    const plain = newSignupInput();
    await app.browser().call(accounts.signup, { body: plain });
    const login = await app.browser().call(accounts.login, {
      body: { username: plain.username, password: plain.password },
    });
    const passkey = await app.browser().call(mfa.passkeyLoginOptions);
    const told = [step, login, passkey].flatMap((answer) => {
      const cookies = [...toldBy(answer.headers)];
      for (const [, line] of cookies) {
        const value = /=([^;]+)/.exec(line)?.[1] ?? '';
        expect(JSON.stringify(answer.body)).not.toContain(value);
      }
      return cookies;
    });
    expect(told.map(([name]) => name).toSorted()).toEqual([
      '__Host-lessonbook',
      '__Host-lessonbook-device',
      '__Host-lessonbook-passkey',
      '__Host-lessonbook-step',
    ]);
    for (const [name, line] of told) {
      const flags = line.split('; ').slice(1);
      expect([name, flags]).toEqual([
        name,
        expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
      ]);
      expect(line).not.toMatch(/Domain=/i);
    }
  });
});
