import { AppError } from '../../../../platform/app-error.ts';
import { violatedConstraint } from '../../../../platform/db/violated-constraint.ts';

/** Translates a unique constraint violation into an error for the field that must be changed. */
export function toUniquenessError(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'login_directory_username_key_key')
    return fieldTakenError('username', 'That username is already taken');
  if (constraint === 'login_directory_email_key_key') return emailTakenError();
  return error;
}

export const emailTakenError = (): AppError =>
  fieldTakenError('email', 'That email is already in use');

const fieldTakenError = (field: string, message: string): AppError =>
  new AppError('conflict', message, { fields: { [field]: message } });
