import { accounts } from '@lessonbook/contract/accounts';
import { audit } from '@lessonbook/contract/audit';
import { dashboard } from '@lessonbook/contract/dashboard';
import { security } from '@lessonbook/contract/security';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../jobs.ts';
import { createExport, downloadExport } from '../../test/create-and-download-export.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { readAllRowsOfTutor } from '../../test/tenant-isolation-test-support.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  DEMO_CREDENTIALS,
  findDemoTutor,
} from '../accounts/service/create-and-replace-demo-account.ts';
import { resetDemo, seedDemo } from './service/reset-demo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

async function logInAsDemo() {
  const browser = app.browser();
  const login = await browser.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
  return { browser, login };
}

describe('the demo', () => {
  test('is reset daily, but only if it is enabled', async () => {
    const withoutDemo = await startTestApp();
    await resetDemo(withoutDemo.context);
    expect(await findDemoTutor(withoutDemo.context)).toBeNull();
    await withoutDemo.close();
    expect(jobs.find(({ name }) => name === 'reset-demo')?.cron).toBe('10 4 * * *');
  });

  test('has a full set of data around today’s date after a reset', async () => {
    await seedDemo(app.context);
    const { browser: visitor } = await logInAsDemo();
    for (const { id } of (await visitor.call(students.listStudents)).body)
      await visitor.call(students.deleteStudent, { params: { id } });
    expect((await visitor.call(students.listStudents)).body).toHaveLength(0);
    const { browser: other, input } = await createTutor(app);

    app.clock.advance({ days: 9 });
    const before = await findDemoTutor(app.context);
    await resetDemo(app.context);
    const after = await findDemoTutor(app.context);
    expect(after).not.toBe(before);
    expect((await visitor.call(accounts.me)).status).toBe(401);
    const { browser, login } = await logInAsDemo();
    expect(login.body.trialDaysLeft).toBe(14);
    expect((await browser.call(students.listStudents)).body).toHaveLength(7);
    const home = (await browser.call(dashboard.dashboard)).body;
    expect(home.today).toBe('2026-11-25');
    expect(home.upcoming.length).toBeGreaterThan(3);
    expect(home.upcoming[0]?.date.slice(0, 7)).toBe('2026-11');
    expect(home.incomplete).toHaveLength(2);
    expect(home.unpaid.length).toBeGreaterThan(0);
    // Other tutors are unaffected, and every row of the old demo account is deleted.
    expect((await other.call(accounts.me)).body.username).toBe(input.username);
    const client = await app.admin.connect();
    const remaining = Object.entries(await readAllRowsOfTutor(client as never, before ?? ''));
    client.release();
    expect(remaining.filter(([, rows]) => rows.length > 0).map(([table]) => table)).toEqual([]);
  });

  test('a failed reset leaves the demo unchanged, and the next reset removes the unfinished account', async () => {
    const before = await findDemoTutor(app.context);
    const { queue } = app.context;
    const brokenContext = {
      ...app.context,
      events: { publish: () => Promise.reject(new Error('simulated failure')) },
    };
    await expect(resetDemo(brokenContext)).rejects.toThrow('simulated failure');
    expect(await findDemoTutor(app.context)).toBe(before);
    expect((await logInAsDemo()).login.status).toBe(200);
    await resetDemo({ ...app.context, queue });
    await resetDemo(app.context);
    const { rows } = await app.admin.query('select username from login_directory where is_demo');
    expect(rows).toEqual([{ username: DEMO_CREDENTIALS.username }]);
  });

  test('sends no email (the only one sent verifies the other tutor’s address)', () => {
    const otherEmails = app.mailbox.emails().filter((mail) => !mail.subject.startsWith('Confirm'));
    expect(otherEmails).toEqual([]);
  });

  test('F37 shows visitors neither the browser nor the network of other visitors', async () => {
    await seedDemo(app.context);
    const visitor = app.browser({ 'user-agent': 'Mozilla/5.0 (iPhone) Canary/7 Safari/604.1' });
    await visitor.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
    await createExport(visitor);
    const { browser: other } = await logInAsDemo();
    const { entries } = (await other.call(audit.listAuditEntries, { query: {} })).body;
    expect(entries.map(({ action, from }) => [action, from])).toContainEqual([
      'export_requested',
      null,
    ]);
    const files = await downloadExport(app, other, (await createExport(other)).id);
    expect(Object.values(files).join('\n')).not.toMatch(/Canary|Safari|iPhone|127\.0\.0/);
    expect((await visitor.call(security.logins)).body).toMatchObject([{ device: 'Your browser' }]);
  });

  test('is not locked by wrong passwords', async () => {
    for (let n = 0; n < 12; n++)
      await app.browser().call(accounts.login, {
        body: { username: DEMO_CREDENTIALS.username, password: `wrong ${n}` },
      });
    expect((await logInAsDemo()).login.status).toBe(200);
  });
});
