import { AppError } from '../../../platform/app-error.ts';
import { refusedBy } from '../../../platform/database-errors.ts';

/** The database decides who was first; the loser is told which field to change. */
export function asTaken(error: unknown): unknown {
  const constraint = refusedBy(error);
  if (constraint === 'login_directory_username_key_key')
    return taken('username', 'That username is already taken');
  if (constraint === 'login_directory_email_key_key') return emailTaken();
  return error;
}

export const emailTaken = (): AppError => taken('email', 'That email is already in use');

const taken = (field: string, message: string): AppError =>
  new AppError('conflict', message, { fields: { [field]: message } });
