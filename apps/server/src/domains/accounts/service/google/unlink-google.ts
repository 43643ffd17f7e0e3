import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { deleteIdentities } from '../../queries/identities.ts';
import { passkeysOf } from '../../queries/passkeys.ts';
import { withSecurityChange } from '../auth/security-change-transaction.ts';
import { notifyOwner } from '../email/security-email.ts';

export async function unlinkGoogle(context: Context, login: Login): Promise<void> {
  const { tutorId } = login;
  await withSecurityChange(context, login, async (tx, { passwordHash }) => {
    const passkeys = await passkeysOf(tx, tutorId).execute();
    if (passwordHash === null && passkeys.length === 0)
      throw new AppError(
        'conflict',
        'Google is your only way to log in. Choose a password first, then disconnect Google.',
      );
    if (!(await deleteIdentities(tx, tutorId)))
      throw new AppError('not_found', 'Google sign-in is already disconnected.');
    await notifyOwner(context, tx, tutorId, 'google-unlinked');
    await recordAudit(tx, tutorId, { action: 'google_unlinked', at: context.clock.now() });
  });
}
