import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { decrypt } from '../../../../platform/crypto/encryption.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import {
  findTotpCounter,
  generateRecoveryCode,
  normalizeRecoveryCode,
} from '../../../../platform/crypto/totp.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  authenticatorOf,
  consumeRecoveryCode,
  consumeTotpCounter,
  countRecoveryCodes,
  deleteRecoveryCodes,
  insertRecoveryCodes,
} from '../../queries/mfa-factors.ts';
import { notifyOwner } from '../email/security-notifications.ts';

const RECOVERY_CODE_COUNT = 10;

/** Spends the code, whichever of the two kinds it is; false when it is wrong or was used before. In the tutor's transaction. */
export async function consumeMfaCode(
  context: Context,
  tx: Tx,
  tutorId: string,
  typed: string,
): Promise<boolean> {
  const recovery = normalizeRecoveryCode(typed);
  if (!recovery) return consumeTotpCode(context, tx, tutorId, typed, 'in use');
  if (!(await consumeRecoveryCode(tx, tutorId, hashRecoveryCode(recovery)))) return false;
  const left = await countRemainingRecoveryCodes(tx, tutorId);
  const detail = left === 1 ? 'One is' : `${left} are`;
  await notifyOwner(context, tx, tutorId, 'recovery-code-used', { detail });
  await recordAudit(tx, tutorId, { act: 'recovery_code_used', at: context.clock.now() });
  return true;
}

/** A code of the authenticator app. One whose app has never shown a code opens nothing but its own beginning. */
export async function consumeTotpCode(
  context: Context,
  tx: Tx,
  tutorId: string,
  typed: string,
  state: 'in use' | 'new',
): Promise<boolean> {
  const { clock, config } = context;
  const app = await authenticatorOf(tx, tutorId).executeTakeFirst();
  if (!app || (app.confirmedAt !== null) !== (state === 'in use')) return false;
  const secret = decrypt(config.sealingKeys, app.sealedSecret, tutorId);
  const step = findTotpCounter(secret, typed.replaceAll(/\s/g, ''), clock.now());
  return step !== null && consumeTotpCounter(tx, tutorId, step);
}

const hashRecoveryCode = (code: string): Buffer => sha256(code.replaceAll('-', ''));

export async function countRemainingRecoveryCodes(tx: Tx, tutorId: string): Promise<number> {
  const { left } = await countRecoveryCodes(tx, tutorId).executeTakeFirstOrThrow();
  return left;
}

/** Ten in place of those that were there. Only hashes stay here, so they are shown this once. */
export async function replaceRecoveryCodes(tx: Tx, tutorId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode);
  await deleteRecoveryCodes(tx, tutorId);
  await insertRecoveryCodes(tx, tutorId, codes.map(hashRecoveryCode));
  return codes;
}

/** With the first factor come the codes for the day on which it is lost. */
export async function issueFirstRecoveryCodes(tx: Tx, tutorId: string): Promise<string[]> {
  return (await countRemainingRecoveryCodes(tx, tutorId)) > 0
    ? []
    : replaceRecoveryCodes(tx, tutorId);
}
