import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../platform/queue/tenant-schedule.ts';
import { eraseIllnessReasons } from '../../portal/service/cancel-lessons.ts';
import { PURGE_INTERVAL_DAYS, RETENTION_PURGE_WORK } from '../job-types.ts';
import {
  deleteAddressReportsBefore,
  deleteAuditLogBefore,
  deleteContactLoginsBefore,
  deleteIdempotencyKeysBefore,
  deleteWebhookEventsBefore,
  deleteWhatsAppLinksBefore,
} from '../queries/retention-purge.ts';

/** How long records are kept. Documented in docs/security/privacy.md. */
const RETENTION_DAYS = {
  /** Two years and a day, because the database enforces two years using its own clock. */
  auditLog: 731,
  idempotencyKeys: 7,
  whatsAppLinks: 90,
  contactLogins: 90,
  /** The provider retries for a few days, and signatures more than a few minutes old are rejected. */
  webhookEvents: 30,
  addressReports: 731,
};

/** Uses unlocked transactions: nothing visible changes, so the revision stays the same and no screens reload. */
export async function purgeExpiredRecords(context: Context): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  const daysAgo = (days: number) => add24HourDays(now, -days);
  await forEachDueTutor(context, RETENTION_PURGE_WORK, (tutorId) =>
    db.tutorTransactionUnlocked(tutorId, async (tx) => {
      await lockScheduledWork(tx, tutorId, RETENTION_PURGE_WORK);
      await deleteAuditLogBefore(tx, tutorId, daysAgo(RETENTION_DAYS.auditLog));
      await deleteIdempotencyKeysBefore(tx, tutorId, daysAgo(RETENTION_DAYS.idempotencyKeys));
      await deleteWhatsAppLinksBefore(tx, tutorId, daysAgo(RETENTION_DAYS.whatsAppLinks));
      await deleteContactLoginsBefore(tx, tutorId, daysAgo(RETENTION_DAYS.contactLogins));
      await eraseIllnessReasons(tx, tutorId, now);
      const next = add24HourDays(now, PURGE_INTERVAL_DAYS);
      await completeWork(tx, tutorId, RETENTION_PURGE_WORK, next);
    }),
  );
  await deleteWebhookEventsBefore(db.global, daysAgo(RETENTION_DAYS.webhookEvents));
  await deleteAddressReportsBefore(db.global, daysAgo(RETENTION_DAYS.addressReports));
}
