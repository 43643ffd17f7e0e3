import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import type { CookieValue } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import { invalidateTrustedDevices, setPasswordHash } from '../../queries/tutor-accounts.ts';
import { notifyOwner } from '../email/security-email.ts';
import { hashNewPasswordForTutor } from './hash-new-password.ts';
import { invalidateOtherLogins, withSecurityChange } from './security-change-transaction.ts';
import { trustDevice } from './trusted-devices.ts';

/** Also sets the first password of an account created with Google. Revokes reset links; keeps this browser trusted. */
export async function changePassword(
  context: Context,
  login: Login,
  password: string,
  requestContext: RequestContext,
): Promise<CookieValue> {
  const now = context.clock.now();
  const { tutorId } = login;
  await withSecurityChange(context, login, async (tx) => {
    await setPasswordHash(tx, tutorId, await hashNewPasswordForTutor(tx, tutorId, password));
    await invalidateOtherLogins(tx, login);
    await invalidateTrustedDevices(tx, tutorId, now);
    await revokeEmailTokens(tx, tutorId, 'reset-password', now);
    await notifyOwner(context, tx, tutorId, 'password-changed');
    await recordAudit(tx, tutorId, { action: 'password_changed', at: now });
  });
  return trustDevice(context, tutorId, requestContext);
}
