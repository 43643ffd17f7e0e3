import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { decrypt } from '../../../../platform/crypto/encryption.ts';
import {
  generateRecoveryCode,
  normalizeRecoveryCode,
} from '../../../../platform/crypto/recovery-codes.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import { findTotpCounter } from '../../../../platform/crypto/totp.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  authenticatorOf,
  consumeRecoveryCode,
  consumeTotpCounter,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  recoveryCodesOf,
} from '../../queries/mfa-factors.ts';
import { notifyOwner } from '../email/security-email.ts';

const RECOVERY_CODE_COUNT = 10;

/** Consumes a TOTP or recovery code. Returns false if it is wrong or already used. */
export async function consumeMfaCode(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: string,
): Promise<boolean> {
  const recoveryCode = normalizeRecoveryCode(input);
  if (!recoveryCode) return consumeTotpCode(context, tx, tutorId, input, 'confirmed');
  if (!(await consumeRecoveryCode(tx, tutorId, hashRecoveryCode(recoveryCode)))) return false;
  const left = await countRemainingRecoveryCodes(tx, tutorId);
  const detail = left === 1 ? 'One is' : `${left || 'None'} are`;
  await notifyOwner(context, tx, tutorId, 'recovery-code-used', { detail });
  await recordAudit(tx, tutorId, { action: 'recovery_code_used', at: context.clock.now() });
  return true;
}

/** A code from an unconfirmed authenticator is accepted only during setup. */
export async function consumeTotpCode(
  context: Context,
  tx: Tx,
  tutorId: string,
  code: string,
  state: 'confirmed' | 'unconfirmed',
): Promise<boolean> {
  const { clock, config } = context;
  const authenticator = await authenticatorOf(tx, tutorId).executeTakeFirst();
  if (!authenticator || (authenticator.confirmedAt !== null) !== (state === 'confirmed'))
    return false;
  const secret = decrypt(config.encryptionKeys, authenticator.encryptedSecret, tutorId);
  const counter = findTotpCounter(secret, code.replaceAll(/\s/g, ''), clock.now());
  return counter !== null && consumeTotpCounter(tx, tutorId, counter);
}

const hashRecoveryCode = (code: string): Buffer => sha256(code.replaceAll('-', ''));

export async function countRemainingRecoveryCodes(tx: Tx, tutorId: string): Promise<number> {
  const { left } = await recoveryCodesOf(tx, tutorId).executeTakeFirstOrThrow();
  return left;
}

/** Only the hashes are stored, so the codes can be shown just once. */
export async function replaceRecoveryCodes(tx: Tx, tutorId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode);
  await deleteRecoveryCodes(tx, tutorId);
  await insertRecoveryCodes(tx, tutorId, codes.map(hashRecoveryCode), now);
  return codes;
}

/** Issues recovery codes with the first factor. Returns an empty array if the tutor already has some. */
export async function issueFirstRecoveryCodes(
  tx: Tx,
  tutorId: string,
  now: Date,
): Promise<string[]> {
  return (await countRemainingRecoveryCodes(tx, tutorId)) > 0
    ? []
    : replaceRecoveryCodes(tx, tutorId, now);
}
