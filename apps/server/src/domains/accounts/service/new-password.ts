import { AppError } from '../../../platform/app-error.ts';
import { isCommonPassword } from '../../../platform/common-passwords.ts';
import type { Tx } from '../../../platform/db.ts';
import { hashPassword } from '../../../platform/password.ts';
import { directoryEntry, tutorById } from '../queries/tutors.ts';
import { isGuessable } from '../rules/new-password.ts';

/** How a new password is stored; one that would be tried first is refused, wherever it is chosen. */
export async function hashNewPassword(
  password: string,
  person: { username: string; email: string; name: string },
): Promise<string> {
  if (isCommonPassword(password))
    throw refused('This password was stolen elsewhere too often. Please choose another one');
  if (isGuessable(password, person))
    throw refused('This password is easy to guess. Please add words that are not your name');
  return hashPassword(password);
}

/** The same for somebody who has a book, inside its transaction. */
export async function hashNewPasswordOf(
  tx: Tx,
  tutorId: string,
  password: string,
): Promise<string> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  const { rows } = await tx.executeQuery(tutorById(tx, tutorId));
  return hashNewPassword(password, { ...entry, name: rows[0]?.name ?? '' });
}

const refused = (message: string): AppError =>
  new AppError('invalid', message, { fields: { password: message } });
