import {
  CalendarAccessLostError,
  CalendarRateLimitedError,
  CalendarRequestRejectedError,
  CalendarUnavailableError,
} from './calendar-provider.ts';

/* Maps events and errors between Google's API and CalendarProvider. */

const RATE_LIMIT_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'calendarUsageLimitsExceeded',
]);

interface GoogleError {
  status?: number;
  code?: string | number;
  response?: { data?: { error?: string | { errors?: { reason?: string }[] } } };
}

export const httpStatusOf = (error: unknown): number => (error as GoogleError).status ?? 0;

/** Translates Google's errors; callers handle any expected statuses first. */
export async function translateErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw toCalendarError(error as GoogleError);
  }
}

function toCalendarError(error: GoogleError): Error {
  const { status = 0, code } = error;
  const body = error.response?.data?.error;
  const reason = typeof body === 'string' ? body : (body?.errors?.[0]?.reason ?? '');
  // The original error is not attached, because errors are logged and it contains the request, including the token and
  // names.
  const message = `${status} ${reason || code || 'no response'}`;
  if (status === 429 || RATE_LIMIT_REASONS.has(reason))
    return new CalendarRateLimitedError(message);
  if (reason === 'invalid_grant' || status === 401 || status === 403) {
    return new CalendarAccessLostError(message);
  }
  if (status >= 400 && status < 500) return new CalendarRequestRejectedError(message);
  return new CalendarUnavailableError(message);
}
