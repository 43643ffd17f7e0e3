import { compareCalendar } from '@lessonbook/server/src/test/compare-calendar-with-google.ts';
import { findCardDifferences } from '@lessonbook/server/src/test/compare-payments-with-stripe.ts';
import type pg from 'pg';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Tutor } from '../virtual-users/tutor-with-several-browsers.ts';

export const CARDS_MATCH = 'cards: our ledger matches Stripe exactly';
export const WEBHOOKS_HANDLED_ONCE = 'webhooks: no 5xx except 503, each event handled once';
export const CALENDAR_MATCHES = 'calendar: Google matches the schedule';
export const NO_STUCK_JOBS = 'no job is stuck or dead';
export const NOTIFICATIONS_COMPLETE =
  'notifications: one for each card payment; every export is ready';

const listCardAccountIds = (tutors: readonly Tutor[]): string[] =>
  tutors.flatMap(({ context }) => (context?.cardAccount ? [context.cardAccount.accountId] : []));

/** Compares our ledger with Stripe's, and checks that each acknowledged refund was paid out once. */
export async function findCardViolations(
  { maintenanceDb, stripe }: ChaosEnvironment,
  tutors: readonly Tutor[],
): Promise<string[]> {
  const differences = await findCardDifferences(maintenanceDb, stripe, listCardAccountIds(tutors));
  const payments = (await stripe.report()).flatMap((report) => report.payments);
  const refunds = new Map(payments.map((each) => [each.sessionId, each.amountRefunded]));
  for (const { sessionId, refunded } of tutors.flatMap(({ users }) =>
    users.flatMap((user) => user.cardPayments),
  )) {
    const actual = refunds.get(sessionId) ?? 0;
    if (actual !== refunded)
      differences.push(`${sessionId}: ${refunded} acknowledged, ${actual} refunded`);
  }
  return differences;
}

/** Checks that no webhook gets an unexpected 5xx and that each event is handled once, however often it is delivered. */
export async function findWebhookViolations({
  maintenanceDb,
  stripe,
  google,
}: ChaosEnvironment): Promise<string[]> {
  const calls = [...(await stripe.deliveries()), ...(await google.deliveries())];
  const serverErrors = calls.filter(
    ({ status }) => status !== null && status >= 500 && status !== 503,
  );
  const { rows } = await maintenanceDb.query<{ events: number; jobs: number }>(
    `select (select count(*)::int from webhook_events) as events,
       (select count(*)::int from jobs.job where name = 'card-event') as jobs`,
  );
  const { events = 0, jobs = 0 } = rows[0] ?? {};
  return [
    ...serverErrors.map(({ url, status }) => `${new URL(url).pathname} returned ${status}`),
    ...(events === jobs ? [] : [`${events} card events have ${jobs} jobs`]),
  ];
}

export async function findCalendarViolations(
  { maintenanceDb, google }: ChaosEnvironment,
  tutors: readonly Tutor[],
): Promise<{ lessons: number; differences: string[] }> {
  const result = { lessons: 0, differences: [] as string[] };
  for (const { googleUser } of tutors) {
    if (googleUser === null) continue;
    const { lessons, differences } = await compareCalendar(maintenanceDb, google, googleUser);
    result.lessons += lessons;
    result.differences.push(...differences);
  }
  if (result.differences.length > 0)
    result.differences.unshift(...(await describeConnections(maintenanceDb)));
  return result;
}

/** Describes the state of the calendar connections, for debugging. */
async function describeConnections(maintenanceDb: pg.Pool): Promise<string[]> {
  const { rows } = await maintenanceDb.query<{ connection: string }>(
    `select concat_ws(' ', d.username, coalesce(l.failure_reason, 'no problem'), 'failures', l.failures, 'last', l.last_sync_at,
       'due', l.due_at, 'leased', l.leased_until, 'now', now(), 'initial sync done', l.initial_sync_done, l.encrypted_token is not null) as connection
     from calendar_connections l join login_directory d on d.tutor_id = l.tutor_id`,
  );
  return rows.map(({ connection }) => connection);
}

export async function findUnfinishedJobs(maintenanceDb: pg.Pool): Promise<string[]> {
  const { rows } = await maintenanceDb.query<{ job: string }>(
    `select name || ' ' || state || ' × ' || count(*) as job from jobs.job
     where state in ('created', 'retry', 'active') group by name, state`,
  );
  return rows.map(({ job }) => job);
}

export async function findDeadJobs(maintenanceDb: pg.Pool): Promise<string[]> {
  const { rows } = await maintenanceDb.query<{ job: string }>(
    `select name || ' ' || state || ': ' || coalesce(output::text, '') as job from jobs.job where state = 'failed'`,
  );
  return rows.map(({ job }) => job);
}

export async function findNotificationViolations(maintenanceDb: pg.Pool): Promise<string[]> {
  const { rows } = await maintenanceDb.query<{ fault: string }>(
    `select 'payment ' || p.id || ' has ' || count(n.id) || ' notifications' as fault
     from payments p left join notifications n on n.tutor_id = p.tutor_id and n.dedupe_key = 'card payment ' || p.id
     where p.method = 'card' and p.kind = 'payment' group by p.tutor_id, p.id having count(n.id) <> 1
     union all select 'an export is ' || state from exports where state <> 'ready'`,
  );
  return rows.map(({ fault }) => fault);
}
