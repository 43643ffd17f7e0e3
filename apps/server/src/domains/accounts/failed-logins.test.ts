import { accounts } from '@lessonbook/contract/accounts';
import { audit } from '@lessonbook/contract/audit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { deleteExpiredAuthRecords } from './service/delete-expired-auth-records.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

describe('[V16.3.1] failed logins', () => {
  const guess = (username: string) =>
    app.browser().call(accounts.login, { body: { username, password: 'wrong one' } });

  test('are added to the audit log at the next successful login, as a single entry without a device', async () => {
    const { input } = await createTutor(app);
    await guess(input.username);
    app.clock.advance({ hours: 2 });
    for (let n = 0; n < 2; n++) await guess(input.email);
    app.clock.advance({ hours: 1 });
    const browser = app.browser();
    const { username, password } = input;
    await browser.call(accounts.login, { body: { username, password } });
    const { entries } = (await browser.call(audit.listAuditEntries, { query: {} })).body;
    expect(entries.map(({ action }) => action)).toEqual(['login', 'failed_logins', 'login']);
    expect(entries[1]).toMatchObject({
      text: '3 failed login attempts (wrong password).',
      at: '2026-11-16T14:00:00.000Z',
      from: null,
    });
    // The next login does not add the entry again.
    await browser.call(accounts.login, { body: { username, password } });
    const again = (await browser.call(audit.listAuditEntries, { query: {} })).body.entries;
    expect(again.map(({ action }) => action)).toEqual(['login', 'login', 'failed_logins', 'login']);
  });

  test('are all counted, even when they happen concurrently', async () => {
    const { input } = await createTutor(app);
    await Promise.all(Array.from({ length: 5 }, () => guess(input.username)));
    const tutorId = await findTutorId(app, input);
    const { rows } = await app.admin.query(
      'select count from failed_logins where account_key = $1',
      [tutorId],
    );
    expect(rows).toEqual([{ count: 5 }]);
  });

  test('for unknown usernames are stored without the username and deleted after a month', async () => {
    await app.admin.query('delete from failed_logins');
    await guess('unknown.username');
    const { rows } = await app.admin.query<{ account_key: string }>(
      'select account_key from failed_logins',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.account_key).not.toContain('unknown');
    app.clock.advance({ days: 31 });
    await deleteExpiredAuthRecords(app.context);
    const remaining = await app.admin.query('select 1 from failed_logins');
    expect(remaining.rowCount).toBe(0);
  });
});
