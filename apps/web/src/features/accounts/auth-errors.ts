import { ApiError } from '../../lib/http.ts';

/* Errors that ask for another step. In a separate file, because few pages load the forms for it. */

/** The first factor was right, and the second one is required. */
export const isMfaRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_needed';

/** The server requires a recent login, see `ReauthProvider.tsx`. */
export const isReauthRequired = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'confirmation_needed';

/** Shown at the field. */
export const isFieldError = (error: ApiError): boolean => error.fields !== undefined;
