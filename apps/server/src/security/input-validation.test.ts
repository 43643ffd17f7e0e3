import { accounts } from '@lessonbook/contract/accounts';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toRegexAlternation } from '../platform/db/redact-text-columns.ts';
import type { Browser } from '../test/browser-client.ts';
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import { createTutor } from '../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
  ({ browser } = await createTutor(app));
  await createSubject(browser);
});
afterAll(() => app.close());

const HOSTILE_TEXTS = [
  "'; drop table students; --",
  "' or '1'='1",
  '$1 $$ %s %d %n %o %j {0} {{7*7}} ${7*7} #{7*7} <%= 7*7 %>',
  '</script><script>alert(1)</script>',
  '%3Cb%3E &lt;b&gt; &amp;amp; \\u003c \\x3c %2527',
  '"; \\"; \u2028\u2029 end',
  '| id; `id` $(id) && id',
  '../../etc/passwd\\..\\..',
];

describe('text is stored and returned unchanged', () => {
  test.each(HOSTILE_TEXTS)('[V1.1.1, V1.2.3, V1.2.4, V1.3.10, V3.2.2] %j', async (text) => {
    const created = await createStudent(browser, { name: text, notes: text, subject: text });
    const list = await browser.call(students.listStudents);
    const row = list.body.find(({ id }) => id === created.id);
    expect(row).toMatchObject({ name: text, notes: text, subject: text });
    // A browser that opens the URL shows text rather than HTML.
    expect(list.headers.get('content-type')).toBe('application/json; charset=utf-8');
    // The table still exists.
    const { rows } = await app.admin.query('select count(*) from students');
    expect(rows).toHaveLength(1);
  });

  test('[V1.1.1] paths are decoded only once: a double-encoded id is not found', async () => {
    const { id } = await createStudent(browser);
    const statusOf = async (path: string) =>
      (await browser.send('GET', `/api/students/${path}/delete-preview`)).status;
    const encoded = `%3${String(id)[0]}${String(id).slice(1)}`;
    for (const path of [String(id), encoded]) expect(await statusOf(path)).toBe(200);
    for (const path of [encoded.replace('%', '%25'), `${id}%00`, `${id}%2f`])
      expect([400, 404]).toContain(await statusOf(path));
  });

  test.each([
    '/api/me/',
    '/api//me',
    '/API/me',
    '/api/./me',
    '/api/x/../me',
    '/api/me;x=1',
    '/api/me%2f',
  ])('[V1.1.1] %s does not reach an endpoint without a login', async (path) => {
    const response = await app.browser().send('GET', path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(response.body)).not.toContain('@example.com');
  });
});

describe('search patterns', () => {
  test('[V1.2.9] special characters in a name are matched literally', () => {
    const name = 'a.b*c+(d)[e]{f}^$|g\\h?';
    const pattern = new RegExp(toRegexAlternation([name]) ?? '', 'u');
    expect(pattern.test(name)).toBe(true);
    for (const other of ['aXbbc', 'a', 'g', name.replace('.', 'x'), ''])
      expect(pattern.test(other)).toBe(false);
  });

  test('[V1.2.4] wildcards in a username match nothing', async () => {
    for (const username of ['%', '_____', 'ada%', "' or true --", 'ada*'])
      expect(
        (
          await app
            .browser()
            .call(accounts.login, { body: { username, password: 'correct horse' } })
        ).status,
      ).toBe(401);
  });
});

describe('unexpected fields', () => {
  test('[V15.3.3] are ignored', async () => {
    const before = (await browser.call(accounts.me)).body;
    const extra = {
      id: 'x',
      revision: 999,
      emailVerified: true,
      trialEndsAt: '2099-01-01',
      isDemo: true,
      tutor_id: 'x',
    };
    const body = { name: before.name, email: before.email, ...extra };
    const after = (await browser.send('PUT', '/api/me', body)).body as typeof before;
    expect({ ...after, revision: 0 }).toEqual({ ...before, revision: 0 });
    const student = {
      name: 'Maya',
      id: 4711,
      familyId: 1,
      tutorId: 'x',
      erasedAt: '2026-01-01',
      createdAt: 'x',
    };
    const created = (await browser.send('POST', '/api/students', student)).body as { id: number };
    expect(created.id).not.toBe(4711);
  });

  test.each([
    ['__proto__', '{"name":"Maya","__proto__":{"isDemo":true}}'],
    ['constructor', '{"name":"Maya","constructor":{"prototype":{"isDemo":true}}}'],
    ['nested', '{"name":"Maya","notes":{"__proto__":{"isDemo":true}}}'],
  ])('[V15.3.6, V1.5.2] prototype pollution (%s) is rejected', async (_, body) => {
    expect((await browser.send('POST', '/api/students', body)).status).toBe(400);
    expect(({} as { isDemo?: boolean }).isDemo).toBeUndefined();
  });

  test('[V1.5.2] JSON with unexpected types is rejected', async () => {
    const bodies = [
      '{"name":{"$type":"Date"}}',
      '{"name":["Maya"]}',
      '{"name":{"toString":"x"}}',
      '"Maya"',
      '1e999',
    ];
    for (const body of bodies)
      expect((await browser.send('POST', '/api/students', body)).status).toBe(400);
  });
});

describe('invalid values', () => {
  test.each<[string, unknown]>([
    ['a list', ['Maya']],
    ['an object', { length: 5 }],
    ['a number', 7],
    ['true', true],
    ['null', null],
  ])('[V15.3.5, V2.2.1] %s as a name is rejected', async (_, name) => {
    expect((await browser.send('POST', '/api/students', { name })).status).toBe(400);
  });

  test.each<[string, unknown, unknown]>([
    ['a password as a list', 'ada', ['correct horse']],
    ['a password as an object', 'ada', { $ne: null }],
    ['a password that is true', 'ada', true],
    ['a username as an object', { $gt: '' }, 'correct horse'],
    ['both missing', undefined, undefined],
  ])('[V15.3.5] %s is rejected at login', async (_, username, password) => {
    const response = await app.browser().send('POST', '/api/login', { username, password });
    expect(response.status).toBe(400);
  });

  test.each<[string, unknown]>([
    ['above the maximum', 10 ** 15],
    ['near the maximum of a double', 1e308],
    ['that is negative', -1],
    ['below a penny', 0.001],
    ['as a string', '30'],
    ['that is not a number', 'NaN'],
  ])('[V1.4.2, V2.2.1] a fee %s is rejected', async (_, defaultFee) => {
    const response = await browser.send('POST', '/api/subjects', { name: 'Maths', defaultFee });
    expect([response.status, (await browser.call(subjects.listSubjects)).body.length]).toEqual([
      400, 1,
    ]);
  });

  test.each(['0', '-1', '2147483648', '99999999999999999999', '1.5', '1e3', 'NaN', 'one'])(
    '[V1.4.2] the id %s is rejected or not found',
    async (id) => {
      const { status } = await browser.send('GET', `/api/lessons/${id}`);
      expect([400, 404]).toContain(status);
    },
  );

  test('[V2.2.2] the server validates every field in the form', async () => {
    const response = await app
      .browser()
      .send('POST', '/api/signup', { name: 'A', email: 'no', username: 'a b', password: 'x' });
    expect(response.status).toBe(400);
    expect(Object.keys(response.error.fields ?? {}).toSorted()).toEqual([
      'email',
      'name',
      'password',
      'username',
    ]);
  });

  test('[V2.2.3] inconsistent times and dates are rejected', async () => {
    const { id: studentId } = await createStudent(browser);
    const lesson = { studentId, subjectId: 1, title: 'x', date: '2026-11-17', fee: 35 };
    const invalid = [
      { startTime: '17:00', endTime: '16:00' },
      { startTime: '16:00', endTime: '16:00' },
      { startTime: '24:00', endTime: '25:00' },
      { startTime: '16:00', endTime: '17:00', date: '2026-02-30' },
      {
        startTime: '16:00',
        endTime: '17:00',
        isRecurring: true,
        recurringPattern: 'weekly',
        recurringEndDate: '2026-11-01',
      },
    ];
    for (const change of invalid)
      expect((await browser.send('POST', '/api/lessons', { ...lesson, ...change })).status).toBe(
        400,
      );
  });
});

describe('similar usernames', () => {
  test('a username that differs only in case, full-width letters or combining characters is rejected', async () => {
    const { input } = await createTutor(app);
    for (const username of [input.username.toUpperCase(), ` ${input.username} `]) {
      const body = { ...input, username, email: `other.${input.email}` };
      expect((await app.browser().send('POST', '/api/signup', body)).status).toBe(409);
    }
    // A username may contain only ASCII letters, digits and three symbols, so no two usernames look alike.
    for (const username of ['аda.cyrillic', 'ada\u200b1', 'ada\u0301x', 'ａｄａｗｉｄｅ', 'ada/x'])
      expect((await app.browser().send('POST', '/api/signup', { ...input, username })).status).toBe(
        400,
      );
    const wide = input.email.replace('ada', 'ａｄａ');
    expect(
      (
        await app
          .browser()
          .send('POST', '/api/signup', { ...input, username: 'new.name', email: wide })
      ).status,
    ).toBe(400);
  });
});
