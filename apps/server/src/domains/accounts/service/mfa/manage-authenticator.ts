import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { encrypt } from '../../../../platform/crypto/encryption.ts';
import { generateTotpSecret, totpUri } from '../../../../platform/crypto/totp.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { ROTATE_ENCRYPTION_WORK } from '../../job-types.ts';
import {
  confirmAuthenticator,
  deleteAuthenticator,
  upsertUnconfirmedAuthenticator,
} from '../../queries/mfa-factors.ts';
import { invalidateOtherLogins, withSecurityChange } from '../auth/security-change-transaction.ts';
import { notifyOwner } from '../email/security-email.ts';
import { consumeTotpCode, issueFirstRecoveryCodes, replaceRecoveryCodes } from './mfa-codes.ts';
import { hasMfa, removeOrphanedRecoveryCodes } from './mfa-factors.ts';
import { invalidCodeError } from './mfa-login.ts';

/** Creates a secret, which does not count as a factor until `turnOnAuthenticator` has verified a first code. */
export async function startAuthenticatorSetup(
  context: Context,
  login: Login,
): Promise<{ secret: string; uri: string }> {
  const { encryptionKeys } = context.config;
  if (encryptionKeys.length === 0) throw new AppError('not_found', "We couldn't find that.");
  const secret = generateTotpSecret();
  return withSecurityChange(context, login, async (tx, entry) => {
    const encrypted = encrypt(encryptionKeys, secret, login.tutorId);
    if (!(await upsertUnconfirmedAuthenticator(tx, login.tutorId, encrypted, context.clock.now())))
      throw new AppError('conflict', 'The authenticator app is already on.');
    return { secret, uri: totpUri(secret, entry.email) };
  });
}

export async function turnOnAuthenticator(
  context: Context,
  login: Login,
  code: string,
): Promise<string[]> {
  return withSecurityChange(context, login, async (tx) => {
    const { tutorId } = login;
    if (!(await consumeTotpCode(context, tx, tutorId, code, 'unconfirmed')))
      throw invalidCodeError();
    const now = context.clock.now();
    await confirmAuthenticator(tx, tutorId, now);
    await scheduleWork(tx, tutorId, ROTATE_ENCRYPTION_WORK, add24HourDays(now, 1));
    await invalidateOtherLogins(tx, login);
    await notifyOwner(context, tx, tutorId, 'authenticator-on');
    await recordAudit(tx, tutorId, { action: 'second_factor_enabled', at: now });
    return issueFirstRecoveryCodes(tx, tutorId, now);
  });
}

export async function turnOffAuthenticator(context: Context, login: Login): Promise<void> {
  await withSecurityChange(context, login, async (tx) => {
    if (!(await deleteAuthenticator(tx, login.tutorId)))
      throw new AppError('not_found', 'The authenticator app is already off.');
    await removeOrphanedRecoveryCodes(tx, login.tutorId);
    await notifyOwner(context, tx, login.tutorId, 'authenticator-off');
    await recordAudit(tx, login.tutorId, {
      action: 'second_factor_disabled',
      at: context.clock.now(),
    });
  });
}

export async function regenerateRecoveryCodes(context: Context, login: Login): Promise<string[]> {
  return withSecurityChange(context, login, async (tx) => {
    if (!(await hasMfa(tx, login.tutorId)))
      throw new AppError('conflict', 'Recovery codes come with a passkey or an authenticator app.');
    const now = context.clock.now();
    await notifyOwner(context, tx, login.tutorId, 'recovery-codes-new');
    await recordAudit(tx, login.tutorId, { action: 'recovery_codes_regenerated', at: now });
    return replaceRecoveryCodes(tx, login.tutorId, now);
  });
}
