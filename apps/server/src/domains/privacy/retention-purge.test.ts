import { accounts } from '@lessonbook/contract/accounts';
import { audit } from '@lessonbook/contract/audit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, findTutorId } from '../../test/tutor.ts';
import { deleteExpiredAccountData } from '../accounts/service/deletion/cleanup-expired.ts';
import { purgeExpiredRecords } from './service/retention-purge.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await app.admin.query<{ n: string }>(`select count(*) as n ${text}`, values)).rows[0]?.n);

/** Something old and something young of each kind that is forgotten, in this tutor's book. */
async function insertOldRecords(tutorId: string): Promise<void> {
  const ages = [
    [
      'audit_log (tutor_id, id, occurred_at, action, metadata)',
      `'login', '{}'`,
      ['732 days', '700 days'],
    ],
    [
      'idempotency_keys (tutor_id, key, created_at, request_hash, reply)',
      `'\\x00', '{}'`,
      ['8 days', '6 days'],
    ],
  ] as const;
  for (const [into, rest, [old, young]] of ages)
    for (const [at, age] of [old, young].entries())
      await app.admin.query(
        `insert into ${into} values ($1, ${into.startsWith('audit') ? 9000 + at : `'key-${at}-of-it'`}, $2::timestamptz - $3::interval, ${rest})`,
        [tutorId, app.clock.now(), age],
      );
  for (const [kind, age] of [
    ['whatsapp', '91 days'],
    ['whatsapp', '89 days'],
    ['invoice', '900 days'],
  ])
    await app.admin.query(
      `insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
       values (decode(md5(random()::text), 'hex'), $1, $2, 1, $3::timestamptz - $4::interval)`,
      [tutorId, kind, app.clock.now(), age],
    );
}

describe('[V14.2.4] what is kept no longer than it serves', () => {
  test('acts go after two years, answers after a week, names of messages after 90 days, card events after 30', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    await insertOldRecords(tutorId);
    for (const age of ['31 days', '29 days'])
      await app.admin.query(
        `insert into webhook_events (event_id, account_id, type, received_at) values ($1::text, 'acct_x', 'x', $2::timestamptz - $1::text::interval)`,
        [age, app.clock.now()],
      );
    const revision = (await browser.call(accounts.me)).body.revision;

    // Not yet: a book is looked at once a week.
    await purgeExpiredRecords(app.context);
    expect(await count('from audit_log where tutor_id = $1', [tutorId])).toBe(3);
    await app.admin.query(
      `update tenant_schedule set next_due_at = $1 where kind = 'retention-purge'`,
      [app.clock.now()],
    );
    await purgeExpiredRecords(app.context);
    await purgeExpiredRecords(app.context);

    expect(await count('from audit_log where tutor_id = $1', [tutorId])).toBe(2);
    expect(await count('from idempotency_keys where tutor_id = $1', [tutorId])).toBe(1);
    expect(
      await count(`from public_links where tutor_id = $1 and kind = 'whatsapp'`, [tutorId]),
    ).toBe(1);
    expect(
      await count(`from public_links where tutor_id = $1 and kind = 'invoice'`, [tutorId]),
    ).toBe(1);
    expect(await count('from webhook_events')).toBe(1);
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
    const { rows } = await app.admin.query<{ due: Date }>(
      `select next_due_at as due from tenant_schedule where kind = 'retention-purge' and tutor_id = $1`,
      [tutorId],
    );
    expect(rows[0]?.due.toISOString()).toBe('2026-11-23T12:00:00.000Z');
  });

  test('the database lets no younger act go, whoever asks as the application', async () => {
    const { input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const appClient = new pg.Client(app.urls.appUrl);
    await appClient.connect();
    await appClient.query('begin');
    await appClient.query(`select set_config('app.tutor_id', $1, true)`, [tutorId]);
    const gone = await appClient.query('delete from audit_log');
    expect(gone.rowCount).toBe(0);
    await expect(
      appClient.query(`update audit_log set occurred_at = occurred_at - interval '3 years'`),
    ).rejects.toThrow('permission denied');
    await appClient.end();
    expect(await count('from audit_log where tutor_id = $1', [tutorId])).toBe(1);
  });
});

describe('[V16.3.1] wrong passwords', () => {
  const guess = (username: string) =>
    app.browser().call(accounts.login, { body: { username, password: 'wrong one' } });

  test('are told at the next login, in one line, with nobody’s device', async () => {
    const { input } = await createTutor(app);
    await guess(input.username);
    app.clock.forward({ hours: 2 });
    for (let n = 0; n < 2; n++) await guess(input.email);
    app.clock.forward({ hours: 1 });
    const browser = app.browser();
    const { username, password } = input;
    await browser.call(accounts.login, { body: { username, password } });
    const { entries } = (await browser.call(audit.listAuditEntries, { query: {} })).body;
    expect(entries.map(({ action }) => action)).toEqual(['login', 'failed_logins', 'login']);
    expect(entries[1]).toMatchObject({
      text: '3 log-ins with a wrong password.',
      at: '2026-11-16T14:00:00.000Z',
      from: null,
    });
    // Told once.
    await browser.call(accounts.login, { body: { username, password } });
    const again = (await browser.call(audit.listAuditEntries, { query: {} })).body.entries;
    expect(again.map(({ action }) => action)).toEqual(['login', 'login', 'failed_logins', 'login']);
  });

  test('at the same moment are all counted', async () => {
    const { input } = await createTutor(app);
    await Promise.all(Array.from({ length: 5 }, () => guess(input.username)));
    const tutorId = await findTutorId(app, input);
    const { rows } = await app.admin.query(
      'select count from failed_logins where account_key = $1',
      [tutorId],
    );
    expect(rows).toEqual([{ count: 5 }]);
  });

  test('of names that nobody has are noted without the name, and forgotten after a month', async () => {
    await app.admin.query('delete from failed_logins');
    await guess('nobody.by.that.name');
    const { rows } = await app.admin.query<{ account_key: string }>(
      'select account_key from failed_logins',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.account_key).not.toContain('nobody');
    app.clock.forward({ days: 31 });
    await deleteExpiredAccountData(app.context);
    expect(await count('from failed_logins')).toBe(0);
  });
});
