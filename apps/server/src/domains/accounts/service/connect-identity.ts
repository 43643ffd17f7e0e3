import type { Context } from '../../../context.ts';
import { audit } from '../../../platform/audit.ts';
import { uuidV7 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { googleLinkedMail } from '../jobs.ts';
import { insertIdentity } from '../queries/identities.ts';
import { deleteLoginsOf } from '../queries/logins.ts';

/** From now on Google opens this book: its owner is told, and whoever else was inside is outside. */
export async function connectIdentity(
  context: Context,
  tx: Tx,
  tutorId: string,
  subject: string,
): Promise<void> {
  const now = context.clock.now();
  const identityId = uuidV7(now);
  await insertIdentity(tx, { id: identityId, subject, tutorId, now, toldAt: null });
  await deleteLoginsOf(tx, tutorId);
  await audit(tx, tutorId, { act: 'google_linked', at: now });
  await context.queue.enqueue(tx, googleLinkedMail, { identityId });
}
