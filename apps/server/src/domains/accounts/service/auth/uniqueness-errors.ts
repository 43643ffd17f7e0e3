import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { violatedConstraint } from '../../../../platform/db/violated-constraint.ts';
import { isEmailReserved } from '../../queries/email-tokens.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';

/** Translates a unique constraint violation into an error for the field that must be changed. */
export function toUniquenessError(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'login_directory_username_key_key')
    return fieldTakenError('username', 'That username is already taken');
  if (constraint === 'login_directory_email_key_key') return emailTakenError();
  return error;
}

/**
 * Throws if another tutor can still restore this address. Called after the address is written: the unique index has then
 * waited for a concurrent change that releases the address, so its link is visible.
 */
export async function rejectReservedEmail(
  { clock }: Context,
  tx: Tx,
  email: string,
  tutorId: string,
): Promise<void> {
  if (await isEmailReserved(tx, normalizeLogin(email), tutorId, clock.now()))
    throw emailTakenError();
}

export const emailTakenError = (): AppError =>
  fieldTakenError('email', 'That email is already in use');

const fieldTakenError = (field: string, message: string): AppError =>
  new AppError('conflict', message, { fields: { [field]: message } });
