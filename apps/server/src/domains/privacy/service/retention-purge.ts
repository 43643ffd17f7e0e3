import { addDaysToInstant } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  claimDueTutors,
  completeWork,
  lockSchedule,
} from '../../../platform/queue/tenant-schedule.ts';
import { PURGE_INTERVAL_DAYS, RETENTION_PURGE_WORK } from '../job-types.ts';
import {
  deleteAddressReportsBefore,
  deleteAuditLogBefore,
  deleteIdempotencyKeysBefore,
  deleteWebhookEventsBefore,
  deleteWhatsAppLinksBefore,
} from '../queries/retention-purge.ts';

const BATCH_SIZE = 100;

/** How long records are kept. Documented in docs/security/privacy.md. */
const RETENTION_DAYS = {
  /** Two years and a day, because the database enforces two years using its own clock. */
  auditLog: 731,
  idempotencyKeys: 7,
  whatsAppLinks: 90,
  /** The provider retries for a few days, and signatures more than a few minutes old are rejected. */
  webhookEvents: 30,
  addressReports: 731,
};

/** Uses unlocked transactions: nothing visible changes, so the revision stays the same and no screens reload. */
export async function purgeExpiredRecords(context: Context): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDueTutors(tx, RETENTION_PURGE_WORK, now, BATCH_SIZE),
    );
    if (due.length === 0) break;
    for (const tutorId of due) {
      await db.tutorTransactionUnlocked(tutorId, async (tx) => {
        await lockSchedule(tx, tutorId, RETENTION_PURGE_WORK);
        await deleteAuditLogBefore(tx, tutorId, addDaysToInstant(now, -RETENTION_DAYS.auditLog));
        await deleteIdempotencyKeysBefore(
          tx,
          tutorId,
          addDaysToInstant(now, -RETENTION_DAYS.idempotencyKeys),
        );
        await deleteWhatsAppLinksBefore(
          tx,
          tutorId,
          addDaysToInstant(now, -RETENTION_DAYS.whatsAppLinks),
        );
        await completeWork(
          tx,
          tutorId,
          RETENTION_PURGE_WORK,
          addDaysToInstant(now, PURGE_INTERVAL_DAYS),
        );
      });
    }
  }
  await deleteWebhookEventsBefore(db.global, addDaysToInstant(now, -RETENTION_DAYS.webhookEvents));
  await deleteAddressReportsBefore(
    db.global,
    addDaysToInstant(now, -RETENTION_DAYS.addressReports),
  );
}
