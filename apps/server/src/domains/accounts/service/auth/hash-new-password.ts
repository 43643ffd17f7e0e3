import { AppError } from '../../../../platform/app-error.ts';
import { isCommonPassword } from '../../../../platform/crypto/common-passwords.ts';
import { hashPassword } from '../../../../platform/crypto/password-hash.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { directoryEntry, tutorById } from '../../queries/tutor-accounts.ts';
import { isGuessable } from '../../rules/guessable-password.ts';

/** Rejects common and guessable passwords before hashing. Used wherever a password is set. */
export async function hashNewPassword(
  password: string,
  person: { username: string; email: string; name: string },
): Promise<string> {
  if (isCommonPassword(password))
    throw passwordRejectedError(
      'This password has appeared in a data breach. Please choose another one.',
    );
  if (isGuessable(password, person))
    throw passwordRejectedError(
      "This password is easy to guess. Please choose one that doesn't contain your name, email or username.",
    );
  return hashPassword(password);
}

export async function hashNewPasswordForTutor(
  tx: Tx,
  tutorId: string,
  password: string,
): Promise<string> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  const { rows } = await tx.executeQuery(tutorById(tx, tutorId));
  return hashNewPassword(password, { ...entry, name: rows[0]?.name ?? '' });
}

const passwordRejectedError = (message: string): AppError =>
  new AppError('invalid', message, { fields: { password: message } });
