import type { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { sha256 } from '../../../platform/crypto.ts';
import { evenTime } from '../../../platform/even-time.ts';
import type { Visitor } from '../../../platform/http.ts';
import { deleteIdentitiesOf } from '../queries/identities.ts';
import { deleteLoginsOf } from '../queries/logins.ts';
import { voidMailLinks } from '../queries/mail-links.ts';
import { deleteSecondStepsOf } from '../queries/second-steps.ts';
import {
  findAccount,
  forgetDevices,
  lockEntry,
  setPassword,
  setPendingEmail,
  setVerifiedEmail,
} from '../queries/tutors.ts';
import { distrustedSince } from '../rules/factors.ts';
import { isEmail, nameKey } from '../rules/names.ts';
import { dropFactorsSince } from './factors.ts';
import { linkByNetwork, resetByAccount, resetByNetwork } from './limits.ts';
import { mailNewLink, withMailLink } from './mail-link.ts';
import { hashNewPasswordOf } from './new-password.ts';
import { tell } from './notices.ts';

/** Longer than either path takes, so that the time says nothing about who has an account. */
const ANSWER_AFTER_MS = 250;

/** Always the same answer; only the owner of the mailbox learns whether there is an account. */
export async function forgotPassword(
  context: Context,
  input: ForgotPasswordInput,
  visitor: Visitor,
): Promise<void> {
  const { db, limiter } = context;
  await limiter.take(resetByNetwork, visitor.network);
  await evenTime(ANSWER_AFTER_MS, async () => {
    const key = nameKey(input.account);
    await limiter.take(resetByAccount, sha256(key).toString('base64url'));
    const account = await findAccount(db.global, isEmail(key) ? 'email_key' : 'username_key', key);
    if (!account || account.isDemo) return;
    const { tutorId, email } = account;
    // Global tables only: a stranger's request must not look like a change of the tutor's book.
    await db.inGlobal((tx) =>
      mailNewLink(context, tx, { tutorId, purpose: 'reset-password', email }),
    );
  });
}

/** The new password ends every login and every other open link: whoever was inside is outside now. */
export async function resetPassword(
  context: Context,
  input: ResetPasswordInput,
  visitor: Visitor,
): Promise<void> {
  const { clock, limiter } = context;
  await limiter.take(linkByNetwork, visitor.network);
  await withMailLink(context, 'reset-password', input.token, async (tx, { tutorId, email }) => {
    const entry = await lockEntry(tx, tutorId);
    const now = clock.now();
    // The address was changed after the link went out: the old mailbox no longer decides.
    if (nameKey(entry.email) !== nameKey(email)) {
      throw new AppError('link_expired', 'This link has expired or was already used.');
    }
    await setPassword(tx, tutorId, await hashNewPasswordOf(tx, tutorId, input.password));
    // Google too: whoever made the account with an address of others, or linked theirs with a stolen password, must not
    // keep a door. The owner's own Google is linked again at the next sign-in. Whoever comes in at this moment waits for
    // the entry and then finds it changed.
    await deleteIdentitiesOf(tx, tutorId);
    await deleteLoginsOf(tx, tutorId);
    await deleteSecondStepsOf(tx, tutorId);
    await forgetDevices(tx, tutorId, now);
    await dropFactorsSince(tx, tutorId, distrustedSince(entry.emailVerifiedAt, now));
    await audit(tx, tutorId, { act: 'password_reset', at: now });
    // A thief who was inside may have asked for another address: that change ends here too.
    await setPendingEmail(tx, tutorId, null);
    await voidMailLinks(tx, tutorId, 'verify-email', now);
    // Following the link proves the address, which matters for whoever registered someone else's beforehand.
    if (!entry.emailVerifiedAt)
      await setVerifiedEmail(tx, tutorId, entry.email, nameKey(entry.email), now);
    await tell(context, tx, tutorId, 'password-changed');
  });
}
