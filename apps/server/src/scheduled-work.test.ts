import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs } from './jobs.ts';
import { createTutor, findTutorId } from './test/create-tutor.ts';
import { metricValue } from './test/metric-value.ts';
import { type StripeTestApp, startStripeTestApp } from './test/stripe-test-app.ts';

/** The test clock is at 12:00, and claiming postpones the work by five minutes. */
const RETRY_AT = '2026-11-16T12:05:00Z';

/** The tenant_schedule kind of every periodic job, or why it has none. */
const kinds: Record<string, { kind: string } | { none: string }> = {
  'cleanup-accounts': { kind: 'cleanup-accounts' },
  'rotate-totp-encryption': { kind: 'rotate-totp-encryption' },
  'remove-mfa': { kind: 'mfa-removal' },
  'generate-sessions': { kind: 'generate-sessions' },
  'reconcile-cards': { kind: 'cards' },
  'enqueue-calendar-syncs': { none: 'one statement enqueues a job for each tutor' },
  'send-reminders': { kind: 'reminders' },
  'daily-digest': { kind: 'daily-digest' },
  'send-note-emails': { kind: 'note-emails' },
  'reset-demo': { none: 'there is one demo account' },
  'cleanup-portal': { none: 'global tables only' },
  'check-instalments': { kind: 'instalments' },
  'close-move-requests': { kind: 'move-requests' },
  'cleanup-exports': { kind: 'exports' },
  'delete-accounts': { kind: 'account-deletion' },
  'retention-purge': { kind: 'retention-purge' },
  'abandon-stalled-work': { kind: 'stalled-work' },
};

let stripeApp: StripeTestApp;
let owner: pg.Client;
let failing: string;
let healthy: string;

beforeAll(async () => {
  stripeApp = await startStripeTestApp();
  const { app } = stripeApp;
  failing = await findTutorId(app, (await createTutor(app)).input);
  healthy = await findTutorId(app, (await createTutor(app)).input);
  owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  // Claiming the first tutor's work succeeds, but completing it fails.
  await owner.query(`
    create function fail_completion() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.next_due_at = '${RETRY_AT}' then return new; end if;
      raise exception 'planted failure';
    end $$;
    create trigger fail_completion before update or delete on tenant_schedule
      for each row when (old.tutor_id = '${failing}') execute function fail_completion();`);
});
afterAll(async () => {
  await owner.end();
  await stripeApp.close();
});

const failureCount = () => metricValue('lessonbook_tutor_work_failures_total');

test('F07 every periodic job is listed here', () => {
  const periodic = jobs.filter((job) => job.cron !== undefined).map((job) => job.name);
  expect(periodic.toSorted()).toEqual(Object.keys(kinds).toSorted());
});

const scheduled = Object.entries(kinds).flatMap(([name, entry]) =>
  'kind' in entry ? [[name, entry.kind] as const] : [],
);
test.each(scheduled)(
  'F07 %s: a failure for one tutor does not stop the others',
  async (name, kind) => {
    const { app } = stripeApp;
    const job = jobs.find((each) => each.name === name);
    await owner.query(`delete from tenant_schedule where kind = $1 and tutor_id not in ($2, $3)`, [
      kind,
      failing,
      healthy,
    ]);
    await owner.query('alter table tenant_schedule disable trigger fail_completion');
    await owner.query(
      `insert into tenant_schedule (tutor_id, kind, next_due_at) values ($1, $3, $4), ($2, $3, $5)
     on conflict (tutor_id, kind) do update set next_due_at = excluded.next_due_at`,
      [failing, healthy, kind, '2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z'],
    );
    await owner.query('alter table tenant_schedule enable trigger fail_completion');
    const failuresBefore = await failureCount();
    await job?.run(app.context, {}, 0);
    const readDueTime = async (tutorId: string) => {
      const { rows } = await owner.query<{ next_due_at: Date }>(
        'select next_due_at from tenant_schedule where tutor_id = $1 and kind = $2',
        [tutorId, kind],
      );
      return rows[0]?.next_due_at ?? null;
    };
    // Completed work is due later than a claim, or not at all. The worker may be running the same job.
    await expect
      .poll(async () => {
        const next = await readDueTime(healthy);
        return next === null || next > new Date(RETRY_AT);
      })
      .toBe(true);
    expect(await readDueTime(failing)).toEqual(new Date(RETRY_AT));
    expect(await failureCount()).toBeGreaterThan(failuresBefore);
  },
);
