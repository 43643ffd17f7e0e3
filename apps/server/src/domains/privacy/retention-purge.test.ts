import { accounts } from '@lessonbook/contract/accounts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { purgeExpiredRecords } from './service/retention-purge.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await app.admin.query<{ n: string }>(`select count(*) as n ${text}`, values)).rows[0]?.n);

/** Inserts one expired and one recent row of each kind. */
async function insertOldRecords(tutorId: string): Promise<void> {
  const records = [
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
  for (const [target, values, [old, recent]] of records)
    for (const [index, age] of [old, recent].entries())
      await app.admin.query(
        `insert into ${target} values ($1, ${target.startsWith('audit') ? 9000 + index : `'test-key-${index}'`}, $2::timestamptz - $3::interval, ${values})`,
        [tutorId, app.clock.now(), age],
      );
  for (const [kind, age] of [
    ['whatsapp', '91 days'],
    ['whatsapp', '89 days'],
  ])
    await app.admin.query(
      `insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
       values (decode(md5(random()::text), 'hex'), $1, $2, 1, $3::timestamptz - $4::interval)`,
      [tutorId, kind, app.clock.now(), age],
    );
}

describe('[V14.2.4] retention periods', () => {
  test('deletes visits to the family portal 90 days after the last one', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const { carerId } = await createStudent(browser, { name: 'Maya', carerName: 'Ruth' });
    for (const age of ['91 days', '89 days'])
      await app.admin.query(
        `insert into contact_logins (tutor_id, contact_id, login_id, user_agent, first_seen_at, last_seen_at)
         values ($1, $2, $3::text, '', $4, $4::timestamptz - $3::text::interval)`,
        [tutorId, carerId, age, app.clock.now()],
      );
    await app.admin.query(
      `update tenant_schedule set next_due_at = $1 where kind = 'retention-purge'`,
      [app.clock.now()],
    );
    await purgeExpiredRecords(app.context);
    expect(await count('from contact_logins where tutor_id = $1', [tutorId])).toBe(1);
  });

  test('deletes audit entries after two years, idempotency keys after a week, WhatsApp links after 90 days and webhook events after 30', async () => {
    const { browser, input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    await insertOldRecords(tutorId);
    for (const age of ['31 days', '29 days'])
      await app.admin.query(
        `insert into webhook_events (event_id, account_id, type, received_at) values ($1::text, 'acct_x', 'x', $2::timestamptz - $1::text::interval)`,
        [age, app.clock.now()],
      );
    const revision = (await browser.call(accounts.me)).body.revision;

    // Not due yet, because the purge runs once a week for each tutor.
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
    expect(await count('from webhook_events')).toBe(1);
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
    const { rows } = await app.admin.query<{ due: Date }>(
      `select next_due_at as due from tenant_schedule where kind = 'retention-purge' and tutor_id = $1`,
      [tutorId],
    );
    expect(rows[0]?.due.toISOString()).toBe('2026-11-23T12:00:00.000Z');
  });

  test('the application role cannot delete or change more recent audit entries', async () => {
    const { input } = await createTutor(app);
    const tutorId = await findTutorId(app, input);
    const appClient = new pg.Client(app.urls.appUrl);
    await appClient.connect();
    await appClient.query('begin');
    await appClient.query(`select set_config('app.tutor_id', $1, true)`, [tutorId]);
    const deleted = await appClient.query('delete from audit_log');
    expect(deleted.rowCount).toBe(0);
    await expect(
      appClient.query(`update audit_log set occurred_at = occurred_at - interval '3 years'`),
    ).rejects.toThrow('permission denied');
    await appClient.end();
    expect(await count('from audit_log where tutor_id = $1', [tutorId])).toBe(1);
  });
});
