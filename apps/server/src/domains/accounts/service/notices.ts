import type { Context } from '../../../context.ts';
import { uuidV7 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { securityMail } from '../jobs.ts';
import { insertNotice } from '../queries/notices.ts';
import { directoryEntry } from '../queries/tutors.ts';
import type { NoticeKind } from './security-mail.ts';

/**
 * Tells the owner what was done to the account, in the transaction that does it. Only an address that was proven is
 * written to: another may be a stranger's. The demo has no owner.
 */
export async function tell(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: NoticeKind,
  more: { detail?: string; email?: string } = {},
): Promise<void> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  if (entry.isDemo || !entry.emailVerifiedAt) return;
  const now = context.clock.now();
  const id = uuidV7(now);
  const { email = entry.email, detail = null } = more;
  await insertNotice(tx, { tutorId, id, kind, email, detail, now });
  await context.queue.enqueue(tx, securityMail, { tutorId, noticeId: id });
}
