import { setTimeout as pause } from 'node:timers/promises';
import type { VendorFaultInjector } from '../fault-injectors/vendor-faults.ts';
import { droppedMailCount } from '../fault-injectors/vendor-faults.ts';
import type { JobTrigger } from '../job-trigger.ts';
import type { Victim } from '../plan.ts';
import type { ChaosEnvironment, Tutor } from '../virtual-users/tutor.ts';
import { checkDuplicateMail, checkMail } from './mail.ts';
import {
  CALENDAR_MATCHES,
  CARDS_MATCH,
  calendarFaults,
  cardFaults,
  deadJobs,
  NO_STUCK_JOBS,
  NOTIFICATIONS_COMPLETE,
  notificationFaults,
  unfinishedJobs,
  WEBHOOKS_HANDLED_ONCE,
  webhookFaults,
} from './vendors.ts';

const TIMEOUT_MS = 240_000;
const POLL_MS = 1_000;
/** Recurring jobs may start again at any time, so they do not count as pending. */
const RECURRING_JOBS =
  /^(send-reminders|enqueue-calendar-syncs|reconcile-cards|daily-digest|cleanup-|generate-|delete-|rotate-|__pgboss)/;

/** Stops the vendor faults, waits until the vendors and the queue are idle, then compares the database with both. */
export async function runFinalChecks(
  environment: ChaosEnvironment,
  tutors: readonly Tutor[],
  vendorFaults: VendorFaultInjector,
  jobTrigger: JobTrigger,
  times: Record<Victim, readonly number[]>,
): Promise<string[]> {
  const { adminDb, results, mailbox, stripe } = environment;
  const start = performance.now();
  const end = start + TIMEOUT_MS;
  for (;;) {
    await vendorFaults.clear();
    await jobTrigger.runEverythingNow();
    await pause(POLL_MS);
    await stripe.whenIdle();
    if (await isIdle(environment, tutors)) break;
    if (performance.now() > end) break;
  }
  for (const job of await pendingJobs(adminDb)) results.fault(NO_STUCK_JOBS, job);
  for (const job of await deadJobs(adminDb)) results.fault(NO_STUCK_JOBS, job);
  for (const fault of await webhookFaults(environment)) results.fault(WEBHOOKS_HANDLED_ONCE, fault);
  for (const fault of await cardFaults(environment, tutors)) results.fault(CARDS_MATCH, fault);
  for (const fault of await notificationFaults(adminDb))
    results.fault(NOTIFICATIONS_COMPLETE, fault);
  const { lessons, differences } = await calendarFaults(environment, tutors);
  for (const fault of differences) results.fault(CALENDAR_MATCHES, fault);
  const mail = await checkMail(adminDb, results, mailbox, tutors);
  const kills = { worker: times.worker.length, postgres: times.postgres.length };
  const reports = await stripe.report();
  const paid = reports.flatMap(({ payments }) => payments).filter(({ state }) => state === 'paid');
  const refunds = reports.flatMap((report) => report.refunds).length;
  return [
    `${vendorFaults.injected} vendor faults injected; idle ${((performance.now() - start) / 1000).toFixed(0)} s after they were cleared`,
    ...mail,
    checkDuplicateMail(results, mailbox, kills, droppedMailCount()),
    `${paid.length} card payments and ${refunds} refunds compared with Stripe, ${lessons} lessons with the calendar`,
  ];
}

const pendingJobs = async (adminDb: ChaosEnvironment['adminDb']): Promise<string[]> =>
  (await unfinishedJobs(adminDb)).filter((job) => !RECURRING_JOBS.test(job));

async function isIdle(environment: ChaosEnvironment, tutors: readonly Tutor[]): Promise<boolean> {
  if ((await pendingJobs(environment.adminDb)).length > 0) return false;
  if ((await notificationFaults(environment.adminDb)).length > 0) return false;
  if ((await cardFaults(environment, tutors)).length > 0) return false;
  if ((await calendarFaults(environment, tutors)).differences.length > 0) return false;
  return (await countPendingReminders(environment, tutors)) === 0;
}

/** Counts tomorrow's lessons that have no reminder yet, and cancelled ones whose reminder has not been corrected yet. */
async function countPendingReminders(
  { mailbox }: ChaosEnvironment,
  tutors: readonly Tutor[],
): Promise<number> {
  const mailsByAddress = Map.groupBy(mailbox.mails(), ({ to }) => to[0] ?? '');
  const open = tutors
    .flatMap(({ context }) => context?.remindedLessons ?? [])
    .filter(({ address, cancelledAt }) => {
      const mails = mailsByAddress.get(address) ?? [];
      const received = new Set(mails.map(({ messageId }) => messageId)).size;
      return cancelledAt === null ? received === 0 : received === 1;
    });
  return open.length;
}
