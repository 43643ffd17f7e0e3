import type { Context } from '../../../context.ts';
import { audit } from '../../../platform/audit.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  newRecoveryCode,
  plainRecoveryCode,
  stepOfCode,
} from '../../../platform/one-time-codes.ts';
import { unseal } from '../../../platform/sealing.ts';
import {
  authenticatorOf,
  countRecoveryCodes,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from '../queries/factors.ts';
import { tell } from './notices.ts';

const HOW_MANY = 10;

/** Spends the code, whichever of the two kinds it is; false when it is wrong or was used before. In the tutor's transaction. */
export async function spendCode(
  context: Context,
  tx: Tx,
  tutorId: string,
  typed: string,
): Promise<boolean> {
  const recovery = plainRecoveryCode(typed);
  if (!recovery) return spendAppCode(context, tx, tutorId, typed, 'in use');
  if (!(await spendRecoveryCode(tx, tutorId, hashOf(recovery)))) return false;
  const left = await recoveryCodesLeft(tx, tutorId);
  const detail = left === 1 ? 'One is' : `${left} are`;
  await tell(context, tx, tutorId, 'recovery-code-used', { detail });
  await audit(tx, tutorId, { act: 'recovery_code_used', at: context.clock.now() });
  return true;
}

/** A code of the authenticator app. One whose app has never shown a code opens nothing but its own beginning. */
export async function spendAppCode(
  context: Context,
  tx: Tx,
  tutorId: string,
  typed: string,
  state: 'in use' | 'new',
): Promise<boolean> {
  const { clock, config } = context;
  const app = await authenticatorOf(tx, tutorId).executeTakeFirst();
  if (!app || (app.confirmedAt !== null) !== (state === 'in use')) return false;
  const secret = unseal(config.sealingKeys, app.sealedSecret, tutorId);
  const step = stepOfCode(secret, typed.replaceAll(/\s/g, ''), clock.now());
  return step !== null && spendStep(tx, tutorId, step);
}

const hashOf = (code: string): Buffer => sha256(code.replaceAll('-', ''));

export async function recoveryCodesLeft(tx: Tx, tutorId: string): Promise<number> {
  const { left } = await countRecoveryCodes(tx, tutorId).executeTakeFirstOrThrow();
  return left;
}

/** Ten in place of those that were there. Only hashes stay here, so they are shown this once. */
export async function renewRecoveryCodes(tx: Tx, tutorId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, newRecoveryCode);
  await deleteRecoveryCodes(tx, tutorId);
  await insertRecoveryCodes(tx, tutorId, codes.map(hashOf));
  return codes;
}

/** With the first factor come the codes for the day on which it is lost. */
export async function firstRecoveryCodes(tx: Tx, tutorId: string): Promise<string[]> {
  return (await recoveryCodesLeft(tx, tutorId)) > 0 ? [] : renewRecoveryCodes(tx, tutorId);
}
