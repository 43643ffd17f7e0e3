import type { Context } from './context.ts';
import { accountJobs } from './domains/accounts/jobs.ts';
import { batchJobs } from './domains/batches/jobs.ts';
import { calendarJobs } from './domains/calendar/jobs.ts';
import { cardJobs } from './domains/cards/jobs.ts';
import { demoJobs } from './domains/demo/jobs.ts';
import { exportJobs } from './domains/export/jobs.ts';
import { lessonJobs } from './domains/lessons/jobs.ts';
import { messageJobs } from './domains/messages/jobs.ts';
import { paymentJobs } from './domains/payments/jobs.ts';
import { portalJobs } from './domains/portal/jobs.ts';
import { privacyJobs } from './domains/privacy/jobs.ts';
import { stalledWorkJob } from './platform/queue/abandon-work-without-job.ts';
import type { Job } from './platform/queue/job.ts';

const domainJobs: readonly Job<Context>[] = [
  ...accountJobs,
  ...lessonJobs,
  ...paymentJobs,
  ...cardJobs,
  ...calendarJobs,
  ...messageJobs,
  ...batchJobs,
  ...demoJobs,
  ...exportJobs,
  ...privacyJobs,
  ...portalJobs,
];

/** All jobs. The worker runs them; the migration creates their queues. */
export const jobs: readonly Job<Context>[] = [...domainJobs, stalledWorkJob(domainJobs)];
