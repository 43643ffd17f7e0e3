import { ApiError } from '../../lib/http.ts';

/* Errors that require another step. In a separate file, because few pages load the forms for those steps. */

/** The first factor was accepted, and the second one is required. */
export const isMfaRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_needed';

/** Shown next to the field. */
export const isFieldError = (error: ApiError): boolean => error.fields !== undefined;
