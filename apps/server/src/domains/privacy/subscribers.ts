import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { scheduleWork } from '../../platform/queue/tenant-schedule.ts';
import { PURGE_INTERVAL_DAYS, RETENTION_PURGE_WORK } from './job-types.ts';

export async function scheduleRetentionPurge(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  const firstRun = add24HourDays(context.clock.now(), PURGE_INTERVAL_DAYS);
  await scheduleWork(tx, tutorId, RETENTION_PURGE_WORK, firstRun);
}
