import { Counter } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { isTutorMoved } from '../db/database-unavailable-errors.ts';
import type { Log } from '../observability/log.ts';
import { claimDueTutors } from './tenant-schedule.ts';

/** Small, because the claimed tutors of a worker that dies wait until their claims expire. */
const BATCH_SIZE = 5;

const failures = new Counter({
  name: 'lessonbook_tutor_work_failures_total',
  help: "Failures of one tutor's scheduled work; the work is due again five minutes later",
});

/**
 * Runs `work` for every tutor whose work of this kind is due. A failure for one tutor is logged and counted and does not
 * stop the others; when the claim expires, the tutor is due again, even on another installation to which the tutor has moved in
 * the meantime. `work` calls lockSchedule and completeWork.
 */
export async function forEachDueTutor(
  { db, clock, log }: { db: Database; clock: Clock; log: Log },
  kind: string,
  work: (tutorId: string) => Promise<unknown>,
): Promise<void> {
  // A long run can outlast the claim of a tutor whose work failed; the next run tries that tutor again.
  const failed = new Set<string>();
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDueTutors(tx, kind, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due.filter((id) => !failed.has(id))) {
      try {
        await work(tutorId);
      } catch (error) {
        failed.add(tutorId);
        if (isTutorMoved(error)) continue;
        failures.inc();
        log.error({ err: error, kind, tutorId }, "a tutor's scheduled work failed");
      }
    }
  }
}
