import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { VendorFaultInjector } from '../fault-injectors/vendor-faults.ts';
import { getDroppedMailCount } from '../fault-injectors/vendor-faults.ts';
import type { JobTrigger } from '../job-trigger.ts';
import type { Victim } from '../run-sizes.ts';
import type { Tutor } from '../virtual-users/tutor-with-several-browsers.ts';
import { checkDuplicateMail, checkMail, findPendingReminders } from './mail.ts';
import {
  CALENDAR_MATCHES,
  CARDS_MATCH,
  findCalendarViolations,
  findCardViolations,
  findDeadJobs,
  findNotificationViolations,
  findUnfinishedJobs,
  findWebhookViolations,
  NO_STUCK_JOBS,
  NOTIFICATIONS_COMPLETE,
  WEBHOOKS_HANDLED_ONCE,
} from './vendors-jobs-and-notifications.ts';

const TIMEOUT_MS = 240_000;
const POLL_MS = 1_000;
/** How often the jobs are triggered while the queue is not idle. */
const TRIGGER_MS = 5_000;
/** Recurring jobs may start again at any time, so they do not count as pending. */
const RECURRING_JOBS =
  /^(send-reminders|enqueue-calendar-syncs|reconcile-cards|daily-digest|cleanup-|generate-|delete-|rotate-|__pgboss)/;

/**
 * Stops the vendor faults, waits until the vendors and the queue are idle, then checks the queue and compares the
 * database with the vendors' records.
 */
export async function runFinalChecks(
  environment: ChaosEnvironment,
  tutors: readonly Tutor[],
  vendorFaults: VendorFaultInjector,
  jobTrigger: JobTrigger,
  recoveryTimes: Record<Victim, readonly number[]>,
): Promise<string[]> {
  const { maintenanceDb, results, mailbox, stripe } = environment;
  const start = performance.now();
  const end = start + TIMEOUT_MS;
  let unfinished = ['nothing was checked'];
  while (unfinished.length > 0 && performance.now() < end) {
    await vendorFaults.clear();
    await jobTrigger.runEverythingNow();
    // Triggering the jobs creates new ones, so they get some time to finish.
    const nextTrigger = performance.now() + TRIGGER_MS;
    while (unfinished.length > 0 && performance.now() < nextTrigger) {
      await pause(POLL_MS);
      await stripe.whenIdle();
      unfinished = await findUnfinishedWork(environment, tutors);
    }
  }
  for (const job of await findPendingJobs(maintenanceDb))
    results.reportViolation(NO_STUCK_JOBS, job);
  for (const job of await findDeadJobs(maintenanceDb)) results.reportViolation(NO_STUCK_JOBS, job);
  for (const violation of await findWebhookViolations(environment))
    results.reportViolation(WEBHOOKS_HANDLED_ONCE, violation);
  for (const violation of await findCardViolations(environment, tutors))
    results.reportViolation(CARDS_MATCH, violation);
  for (const violation of await findNotificationViolations(maintenanceDb))
    results.reportViolation(NOTIFICATIONS_COMPLETE, violation);
  const { lessons, differences } = await findCalendarViolations(environment, tutors);
  for (const difference of differences) results.reportViolation(CALENDAR_MATCHES, difference);
  const mail = await checkMail(maintenanceDb, results, mailbox, tutors);
  const kills = { worker: recoveryTimes.worker.length, postgres: recoveryTimes.postgres.length };
  const reports = await stripe.report();
  const paid = reports.flatMap(({ payments }) => payments).filter(({ state }) => state === 'paid');
  const refunds = reports.flatMap((report) => report.refunds).length;
  return [
    `${vendorFaults.injected} vendor faults injected; idle ${((performance.now() - start) / 1000).toFixed(0)} s after they were cleared`,
    ...unfinished.map((work) => `still not finished: ${work}`),
    ...mail,
    checkDuplicateMail(results, mailbox, kills, getDroppedMailCount()),
    `${paid.length} card payments and ${refunds} refunds compared with Stripe, ${lessons} lessons with the calendar`,
  ];
}

const findPendingJobs = async (
  maintenanceDb: ChaosEnvironment['maintenanceDb'],
): Promise<string[]> =>
  (await findUnfinishedJobs(maintenanceDb)).filter((job) => !RECURRING_JOBS.test(job));

async function findUnfinishedWork(
  environment: ChaosEnvironment,
  tutors: readonly Tutor[],
): Promise<string[]> {
  const { maintenanceDb, mailbox } = environment;
  return [
    ...(await findPendingJobs(maintenanceDb)),
    ...(await findNotificationViolations(maintenanceDb)),
    ...(await findCardViolations(environment, tutors)),
    ...(await findCalendarViolations(environment, tutors)).differences,
    ...(await findPendingReminders(maintenanceDb, mailbox, tutors)),
  ];
}
