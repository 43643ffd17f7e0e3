import type { Context } from '../../../../context.ts';
import { uuidV7 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { SECURITY_EMAIL_JOB } from '../../jobs.ts';
import { insertSecurityEmail } from '../../queries/security-email-outbox.ts';
import { directoryEntry } from '../../queries/tutors.ts';
import type { SecurityNotificationKind } from './security-email.ts';

/**
 * Tells the owner what was done to the account, in the transaction that does it. Only an address that was proven is
 * written to: another may be a stranger's. The demo has no owner.
 */
export async function notifyOwner(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: SecurityNotificationKind,
  more: { detail?: string; email?: string } = {},
): Promise<void> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  if (entry.isDemo || !entry.emailVerifiedAt) return;
  const now = context.clock.now();
  const id = uuidV7(now);
  const { email = entry.email, detail = null } = more;
  await insertSecurityEmail(tx, { tutorId, id, kind, email, detail, now });
  await context.queue.enqueue(tx, SECURITY_EMAIL_JOB, { tutorId, noticeId: id });
}
