import { ApiError } from '../../lib/http.ts';

/* Refusals that are questions. Apart from what answers them, which few screens load. */

/** The password was right, or Google vouched: the second factor is asked for in the form's place. */
export const isMfaRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_needed';

/** The server wants to know that it is still the tutor: the gate asks, see `ConfirmGate.tsx`. */
export const isReauthRequired = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'confirmation_needed';

/** Said below the field. */
export const isFieldError = (error: ApiError): boolean => error.fields !== undefined;
