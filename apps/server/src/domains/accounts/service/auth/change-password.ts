import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { CookieValue } from '../../../../platform/http/cookies.ts';
import type { Login, RequestContext } from '../../../../platform/http/http-server.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import { invalidateTrustedDevices, setPassword } from '../../queries/tutors.ts';
import { notifyOwner } from '../email/security-notifications.ts';
import { hashNewPasswordForTutor } from './hash-new-password.ts';
import { invalidateOtherLogins, withRecentAuth } from './require-recent-auth.ts';
import { trustDevice } from './trusted-devices.ts';

/** A new password, or the first one of whoever came by Google. Links to choose one end; this browser stays known. */
export async function changePassword(
  context: Context,
  login: Login,
  password: string,
  requestContext: RequestContext,
): Promise<CookieValue> {
  const now = context.clock.now();
  const { tutorId } = login;
  await withRecentAuth(context, login, async (tx) => {
    await setPassword(tx, tutorId, await hashNewPasswordForTutor(tx, tutorId, password));
    await invalidateOtherLogins(tx, login);
    await invalidateTrustedDevices(tx, tutorId, now);
    await revokeEmailTokens(tx, tutorId, 'reset-password', now);
    await notifyOwner(context, tx, tutorId, 'password-changed');
    await recordAudit(tx, tutorId, { act: 'password_changed', at: now });
  });
  return trustDevice(context, tutorId, requestContext);
}
