import type { Context } from '../../../context.ts';
import { audit } from '../../../platform/audit.ts';
import type { Visitor } from '../../../platform/http.ts';
import { voidMailLinks } from '../queries/mail-links.ts';
import { directoryEntry, lockEntry, setVerifiedEmail } from '../queries/tutors.ts';
import { nameKey } from '../rules/names.ts';
import { emailByTutor, linkByNetwork } from './limits.ts';
import { mailNewLink, withMailLink } from './mail-link.ts';
import { tell } from './notices.ts';
import { asTaken } from './taken.ts';

/** Sends the mail again, to the address that still waits: the changed one before the first one. */
export async function resendVerification(context: Context, tutorId: string): Promise<void> {
  const { db, limiter } = context;
  await limiter.take(emailByTutor, tutorId);
  await db.withTutor(tutorId, async (tx) => {
    const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
    if (entry.emailVerifiedAt && !entry.pendingEmail) return;
    await mailNewLink(context, tx, {
      tutorId,
      purpose: 'verify-email',
      email: entry.pendingEmail ?? entry.email,
    });
  });
}

/** The address that the link was mailed to becomes the tutor's address, proven. */
export async function confirmEmail(
  context: Context,
  token: string,
  visitor: Visitor,
): Promise<{ email: string }> {
  const { clock, limiter } = context;
  await limiter.take(linkByNetwork, visitor.network);
  try {
    return await withMailLink(context, 'verify-email', token, async (tx, { tutorId, email }) => {
      const before = await lockEntry(tx, tutorId);
      await setVerifiedEmail(tx, tutorId, email, nameKey(email), clock.now());
      if (before.emailVerifiedAt && nameKey(before.email) !== nameKey(email)) {
        // To both: whoever lost the old mailbox hears of it there last, whoever stole the account cannot keep it quiet.
        await tell(context, tx, tutorId, 'email-changed', { email: before.email });
        await tell(context, tx, tutorId, 'email-changed');
        await voidMailLinks(tx, tutorId, 'reset-password', clock.now());
      }
      if (nameKey(before.email) !== nameKey(email))
        await audit(tx, tutorId, { act: 'email_changed', at: clock.now() });
      return { email };
    });
  } catch (error) {
    throw asTaken(error);
  }
}
