import * as z from 'zod/mini';

export const RUN_BATCH_JOB = {
  name: 'run-batch',
  payload: z.object({ tutorId: z.uuid(), batchId: z.number() }),
};
