import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Passkey } from '@lessonbook/contract/security';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import {
  createRegistrationOptions,
  verifyRegistration,
} from '../../../../platform/crypto/webauthn.ts';
import { violatedConstraint } from '../../../../platform/db/violated-constraint.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { deletePasskey, insertPasskey, passkeysOf, renamePasskey } from '../../queries/passkeys.ts';
import { invalidateOtherLogins, withSecurityChange } from '../auth/security-change-transaction.ts';
import { notifyOwner } from '../email/security-email.ts';
import { readUser } from '../profile/read-tutor.ts';
import { issueFirstRecoveryCodes } from './mfa-codes.ts';
import { removeOrphanedRecoveryCodes, toPasskey } from './mfa-factors.ts';
import {
  consumeChallenge,
  getRelyingParty,
  invalidPasskeyError,
  storeChallenge,
} from './passkey-verification.ts';

const MAX_PASSKEYS = 10;

const challengeScope = (login: Login) => ({
  purpose: 'register' as const,
  cookieHash: login.tokenHash,
});

export async function createPasskeyRegistrationOptions(context: Context, login: Login) {
  const relyingParty = getRelyingParty(context);
  const user = await readUser(context, login.tutorId);
  const existing = await withSecurityChange(context, login, (tx) =>
    passkeysOf(tx, login.tutorId).execute(),
  );
  if (existing.length >= MAX_PASSKEYS)
    throw new AppError(
      'conflict',
      `You can have up to ${MAX_PASSKEYS} passkeys. Please remove one first.`,
    );
  return storeChallenge(
    context,
    challengeScope(login),
    createRegistrationOptions(relyingParty, user, existing),
  );
}

export async function addPasskey(
  context: Context,
  login: Login,
  { name, response }: { name: string; response: PasskeyResponse },
): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
  const { tutorId } = login;
  const now = context.clock.now();
  const challenge = await consumeChallenge(context, challengeScope(login), response);
  const credential = await verifyRegistration(getRelyingParty(context), response, challenge);
  if (!credential) throw invalidPasskeyError();
  const passkey = { ...credential, tutorId, publicId: randomToken(), name, now };
  const recoveryCodes = await withSecurityChange(context, login, async (tx) => {
    await insertPasskey(tx, passkey);
    await invalidateOtherLogins(tx, login);
    await notifyOwner(context, tx, tutorId, 'passkey-added');
    await recordAudit(tx, tutorId, { action: 'passkey_added', at: now });
    return issueFirstRecoveryCodes(tx, tutorId, now);
  }).catch((error: unknown) => {
    throw violatedConstraint(error) === 'passkeys_pkey' ? invalidPasskeyError() : error;
  });
  return { passkey: toPasskey({ ...passkey, createdAt: now, lastUsedAt: null }), recoveryCodes };
}

export async function changePasskeyName(
  context: Context,
  login: Login,
  id: string,
  name: string,
): Promise<void> {
  await withSecurityChange(context, login, async (tx) => {
    if (!(await renamePasskey(tx, login.tutorId, id, name))) throw passkeyNotFoundError();
  });
}

export async function removePasskey(context: Context, login: Login, id: string): Promise<void> {
  await withSecurityChange(context, login, async (tx) => {
    if (!(await deletePasskey(tx, login.tutorId, id))) throw passkeyNotFoundError();
    await removeOrphanedRecoveryCodes(tx, login.tutorId);
    await notifyOwner(context, tx, login.tutorId, 'passkey-removed');
    await recordAudit(tx, login.tutorId, { action: 'passkey_removed', at: context.clock.now() });
  });
}

const passkeyNotFoundError = () =>
  new AppError('not_found', 'That passkey has already been removed.');
