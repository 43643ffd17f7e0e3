import type { Context } from '../../../context.ts';
import { audit } from '../../../platform/audit.ts';
import type { CookieContent } from '../../../platform/cookies.ts';
import type { Login, Visitor } from '../../../platform/http.ts';
import { voidMailLinks } from '../queries/mail-links.ts';
import { forgetDevices, setPassword } from '../queries/tutors.ts';
import { changeSecurity, endOthers } from './change-security.ts';
import { meetDevice } from './devices.ts';
import { hashNewPasswordOf } from './new-password.ts';
import { tell } from './notices.ts';

/** A new password, or the first one of whoever came by Google. Links to choose one end; this browser stays known. */
export async function changePassword(
  context: Context,
  login: Login,
  password: string,
  visitor: Visitor,
): Promise<CookieContent> {
  const now = context.clock.now();
  const { tutorId } = login;
  await changeSecurity(context, login, async (tx) => {
    await setPassword(tx, tutorId, await hashNewPasswordOf(tx, tutorId, password));
    await endOthers(tx, login);
    await forgetDevices(tx, tutorId, now);
    await voidMailLinks(tx, tutorId, 'reset-password', now);
    await tell(context, tx, tutorId, 'password-changed');
    await audit(tx, tutorId, { act: 'password_changed', at: now });
  });
  return meetDevice(context, tutorId, visitor);
}
