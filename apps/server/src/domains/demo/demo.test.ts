import { accounts } from '@lessonbook/contract/accounts';
import { reports } from '@lessonbook/contract/reports';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../jobs.ts';
import { readAllRows } from '../../test/tenant-isolation.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor } from '../../test/tutor.ts';
import { DEMO_CREDENTIALS, findDemoTutor } from '../accounts/service/demo-account.ts';
import { resetDemo, seedDemo } from './service/demo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

async function visit() {
  const browser = app.browser();
  const login = await browser.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
  return { browser, login };
}

describe('the demo', () => {
  test('comes round daily, and only where the server has one', async () => {
    const plain = await startTestApp();
    await resetDemo(plain.context);
    expect(await findDemoTutor(plain.context)).toBeNull();
    await plain.close();
    expect(jobs.find(({ name }) => name === 'reset-demo')?.cron).toBe('10 4 * * *');
  });

  test('is whole and lively again after a reset, around the day it is then', async () => {
    await seedDemo(app.context);
    const { browser: vandal } = await visit();
    for (const { id } of (await vandal.call(students.listStudents)).body)
      await vandal.call(students.deleteStudent, { params: { id } });
    expect((await vandal.call(students.listStudents)).body).toHaveLength(0);
    const { browser: other, input } = await createTutor(app);

    app.clock.forward({ days: 9 });
    const before = await findDemoTutor(app.context);
    await resetDemo(app.context);
    const after = await findDemoTutor(app.context);
    expect(after).not.toBe(before);
    expect((await vandal.call(accounts.me)).status).toBe(401);
    const { browser, login } = await visit();
    expect(login.body.trialDaysLeft).toBe(14);
    expect((await browser.call(students.listStudents)).body).toHaveLength(7);
    const home = (await browser.call(reports.dashboard)).body;
    expect(home.today).toBe('2026-11-25');
    expect(home.upcoming.length).toBeGreaterThan(3);
    expect(home.upcoming[0]?.date.slice(0, 7)).toBe('2026-11');
    expect(home.incomplete).toHaveLength(2);
    expect(home.unpaid.length).toBeGreaterThan(0);
    // Nobody else's book was touched, and of the old one nothing is left.
    expect((await other.call(accounts.me)).body.username).toBe(input.username);
    const client = await app.admin.connect();
    const left = Object.entries(await readAllRows(client as never, before ?? ''));
    client.release();
    expect(left.filter(([, rows]) => rows.length > 0).map(([table]) => table)).toEqual([]);
  });

  test('a reset that died half-way leaves the demo as it was, and the next clears up', async () => {
    const before = await findDemoTutor(app.context);
    const { queue } = app.context;
    const broken = {
      ...app.context,
      events: { publish: () => Promise.reject(new Error('the worker dies here')) },
    };
    await expect(resetDemo(broken)).rejects.toThrow('dies here');
    expect(await findDemoTutor(app.context)).toBe(before);
    expect((await visit()).login.status).toBe(200);
    await resetDemo({ ...app.context, queue });
    await resetDemo(app.context);
    const { rows } = await app.admin.query('select username from login_directory where is_demo');
    expect(rows).toEqual([{ username: DEMO_CREDENTIALS.username }]);
  });

  test('nothing has left the house for all that', () => {
    const strangers = app.mailbox.mails().filter((mail) => !mail.subject.startsWith('Confirm'));
    expect(strangers).toEqual([]);
  });

  test('wrong passwords keep nobody out of it', async () => {
    for (let n = 0; n < 12; n++)
      await app.browser().call(accounts.login, {
        body: { username: DEMO_CREDENTIALS.username, password: `wrong ${n}` },
      });
    expect((await visit()).login.status).toBe(200);
  });
});
