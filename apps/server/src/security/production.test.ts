import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { resolvePasswords } from '../provision-database.ts';
import { startTestApp } from '../test/test-app.ts';

const least = {
  DATABASE_URL: 'postgres://localhost/lessonbook',
  APP_URL: 'https://lessonbook.example',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
};

describe('on the internet', () => {
  test('[V13.4.2, V15.2.3] nothing that is for rehearsals can be turned on', () => {
    expect(readConfig(least)).toMatchObject({ demoAccount: false, logLevel: 'info' });
    for (const [name, value] of [
      ['RATE_LIMIT_FACTOR', '100'],
      ['CLOCK_START', '2026-01-01T00:00:00Z'],
    ] as const) {
      expect(() => readConfig({ ...least, [name]: value })).toThrow(/for rehearsals/);
      const here = { ...least, APP_URL: 'http://127.0.0.1:1', [name]: value };
      expect(() => readConfig(here)).not.toThrow();
    }
  });

  test('[V13.4.2] no answer says what it is served by', async () => {
    const app = await startTestApp({ APP_URL: 'https://book.example' });
    const { headers } = await app.browser().send('GET', '/api/nothing');
    await app.close();
    expect([...headers.keys()].filter((name) => /server|powered|version|debug/.test(name))).toEqual(
      [],
    );
  });

  test('[V13.4.5] figures are for whoever has the word, and the description says nothing about anybody', async () => {
    const token = 'a-word-for-the-operator';
    const app = await startTestApp({ METRICS_TOKEN: token });
    const ask = async (headers: Record<string, string>) =>
      (await app.browser().send('GET', '/metrics', undefined, headers)).status;
    const statuses = [
      await ask({}),
      await ask({ authorization: 'Bearer wrong' }),
      await ask({ authorization: `bearer ${token}` }),
      await ask({ authorization: `Bearer ${token}x` }),
      await ask({ 'x-forwarded-for': '127.0.0.1' }),
    ];
    const right = await ask({ authorization: `Bearer ${token}` });
    const description = await app.browser().send('GET', '/api/openapi.json');
    await app.close();
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
    expect(right).toBe(200);
    expect(JSON.stringify(description.body)).not.toMatch(/127\.0\.0\.1|localhost|postgres/);
  });

  test('[V15.2.3] what is for tests is no part of what is installed there', () => {
    const { dependencies } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { dependencies: Record<string, string> };
    const odd = Object.keys(dependencies).filter((name) =>
      /fakes|stage|test|vitest|playwright|mock/.test(name),
    );
    expect(odd).toEqual([]);
  });
});

describe('[V13.2.3] what services know each other by', () => {
  test('is drawn for each role of the database when it is made', () => {
    const drawn = Object.values(resolvePasswords(undefined));
    expect(new Set(drawn).size).toBe(3);
    for (const password of drawn) expect(Buffer.from(password, 'base64url')).toHaveLength(18);
  });

  test.each(['SECRET_KEY', 'DATABASE_URL', 'SMTP_URL', 'APP_URL', 'MAIL_FROM'])(
    'without %s nothing starts: it has no default',
    (name) => {
      expect(() => readConfig({ ...least, [name]: undefined })).toThrow(name);
    },
  );

  test.each([
    ['SECRET_KEY', 'c2hvcnQ='],
    ['SECRET_KEY', ''],
    ['METRICS_TOKEN', 'short'],
    ['SEALING_KEYS', 'one:c2hvcnQ='],
    ['WHATSAPP_APP_SECRET', 'short'],
  ])('%s=%s is too little', (name, value) => {
    expect(() => readConfig({ ...least, [name]: value })).toThrow(name);
  });
});
