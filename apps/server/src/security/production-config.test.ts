import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { resolvePasswords } from '../provision-database.ts';
import { startTestApp } from '../test/test-app.ts';

const minimal = {
  DATABASE_URL: 'postgres://localhost/lessonbook',
  APP_URL: 'https://lessonbook.example',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
};

describe('in production', () => {
  test('[V13.4.2, V15.2.3] test-only settings are rejected', () => {
    expect(readConfig(minimal)).toMatchObject({ demoAccount: false, logLevel: 'info' });
    for (const [name, value] of [
      ['RATE_LIMIT_FACTOR', '100'],
      ['CLOCK_START', '2026-01-01T00:00:00Z'],
    ] as const) {
      expect(() => readConfig({ ...minimal, [name]: value })).toThrow(/for tests only/);
      const local = { ...minimal, APP_URL: 'http://127.0.0.1:1', [name]: value };
      expect(() => readConfig(local)).not.toThrow();
    }
  });

  test('[V13.4.2] responses do not reveal the server software', async () => {
    const app = await startTestApp({ APP_URL: 'https://book.example' });
    const { headers } = await app.browser().send('GET', '/api/nothing');
    await app.close();
    expect([...headers.keys()].filter((name) => /server|powered|version|debug/.test(name))).toEqual(
      [],
    );
  });

  test('[V13.4.5] metrics require the token, and the OpenAPI document reveals no internals', async () => {
    const token = 'a-token-for-the-operator';
    const app = await startTestApp({ METRICS_TOKEN: token });
    const statusWith = async (headers: Record<string, string>) =>
      (await app.browser().send('GET', '/metrics', undefined, headers)).status;
    const statuses = [
      await statusWith({}),
      await statusWith({ authorization: 'Bearer wrong' }),
      await statusWith({ authorization: `bearer ${token}` }),
      await statusWith({ authorization: `Bearer ${token}x` }),
      await statusWith({ 'x-forwarded-for': '127.0.0.1' }),
    ];
    const authorized = await statusWith({ authorization: `Bearer ${token}` });
    const openApi = await app.browser().send('GET', '/api/openapi.json');
    await app.close();
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
    expect(authorized).toBe(200);
    expect(JSON.stringify(openApi.body)).not.toMatch(/127\.0\.0\.1|localhost|postgres/);
  });

  test('F39 without a token, metrics are disabled, even for a proxy on the same machine', async () => {
    const app = await startTestApp({ APP_URL: 'https://book.example' });
    const { status } = await app.browser().send('GET', '/metrics');
    await app.close();
    expect(status).toBe(404);
  });

  test('[V15.2.3] test packages are not production dependencies', () => {
    const { dependencies } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { dependencies: Record<string, string> };
    const testPackages = Object.keys(dependencies).filter((name) =>
      /fakes|test|vitest|playwright|mock/.test(name),
    );
    expect(testPackages).toEqual([]);
  });
});

describe('[V13.2.3] service credentials', () => {
  test('are random for each database role', () => {
    const passwords = Object.values(resolvePasswords(undefined));
    expect(new Set(passwords).size).toBe(3);
    for (const password of passwords) expect(Buffer.from(password, 'base64url')).toHaveLength(18);
  });

  test.each(['SECRET_KEY', 'DATABASE_URL', 'SMTP_URL', 'APP_URL', 'MAIL_FROM'])(
    '%s has no default',
    (name) => {
      expect(() => readConfig({ ...minimal, [name]: undefined })).toThrow(name);
    },
  );

  test.each([
    ['SECRET_KEY', 'c2hvcnQ='],
    ['SECRET_KEY', ''],
    ['METRICS_TOKEN', 'short'],
    ['ENCRYPTION_KEYS', 'one:c2hvcnQ='],
    ['WHATSAPP_APP_SECRET', 'short'],
  ])('%s=%s is rejected as too short', (name, value) => {
    expect(() => readConfig({ ...minimal, [name]: value })).toThrow(name);
  });
});
