import { defineJob } from '../../context.ts';
import { RUN_BATCH_JOB } from './job-types.ts';
import { abandonBatch, listPendingBatches, runBatch } from './service/run-batch.ts';

const runBatchJob = defineJob({
  ...RUN_BATCH_JOB,
  retryFor: { hours: 1 },
  isLong: true,
  concurrency: 4,
  run: (context, payload) => runBatch(context, payload),
  onAbandoned: abandonBatch,
  listPending: listPendingBatches,
});

export const batchJobs = [runBatchJob];
