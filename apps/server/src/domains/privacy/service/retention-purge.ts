import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import {
  claimDue,
  completeWork,
  lockSchedule,
  scheduleWork,
} from '../../../platform/queue/tenant-schedule.ts';
import {
  deleteAuditLogBefore,
  deleteCardEventsBefore,
  deleteIdempotencyKeysBefore,
  deleteWhatsAppLinksBefore,
} from '../queries/retention-purge.ts';

const RETENTION_PURGE_WORK = 'retention-purge';
const BATCH_SIZE = 100;
const PURGE_INTERVAL_DAYS = 7;

/** How long each is kept; docs/security/privacy.md tells people. */
const RETENTION_DAYS = {
  /** Two years and a day, so that the database, which counts by its own clock, agrees. */
  auditLog: 731,
  idempotencyKeys: 7,
  whatsAppLinks: 90,
  /** The provider repeats for days, and we believe none that is older than minutes. */
  cardEvents: 30,
};

export async function scheduleRetentionPurge(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleWork(
    tx,
    tutorId,
    RETENTION_PURGE_WORK,
    addDays(context.clock.now(), PURGE_INTERVAL_DAYS),
  );
}

/** Book by book; a book does not change by it, so nobody's screen is refreshed. */
export async function purgeExpiredRecords(context: Context): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, RETENTION_PURGE_WORK, now, BATCH_SIZE),
    );
    if (due.length === 0) break;
    for (const tutorId of due) {
      await db.tutorTransactionUnlocked(tutorId, async (tx) => {
        await lockSchedule(tx, tutorId, RETENTION_PURGE_WORK);
        await deleteAuditLogBefore(tx, tutorId, addDays(now, -RETENTION_DAYS.auditLog));
        await deleteIdempotencyKeysBefore(
          tx,
          tutorId,
          addDays(now, -RETENTION_DAYS.idempotencyKeys),
        );
        await deleteWhatsAppLinksBefore(tx, tutorId, addDays(now, -RETENTION_DAYS.whatsAppLinks));
        await completeWork(tx, tutorId, RETENTION_PURGE_WORK, addDays(now, PURGE_INTERVAL_DAYS));
      });
    }
  }
  await deleteCardEventsBefore(db.global, addDays(now, -RETENTION_DAYS.cardEvents));
}
