import pg from 'pg';
import { AppError } from '../app-error.ts';

/** Raised for a write on a server that has become a read-only standby. */
const READ_ONLY_TRANSACTION = '25006';

/** Network and name resolution errors. */
const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

const SQLSTATES = new Set([
  READ_ONLY_TRANSACTION,
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled, such as a statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
]);

/** Class 08: connection exceptions. Class 53: the server has no memory, disk space or connections left. */
const SQLSTATE_CLASSES = /^(08|53)...$/;

/** Errors that pg creates without a code. */
const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|is not queryable|Cannot use a pool after calling end/;

/** Thrown without a connection attempt while the connection monitor reports the database as unreachable. */
export class DatabaseUnreachableError extends Error {
  constructor(cause: unknown) {
    super('The database is unreachable', { cause });
    this.name = 'DatabaseUnreachableError';
  }
}

/** True if the database is unreachable, overloaded or shutting down, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachableError) return true;
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // Resetting a socket that the server has just closed fails with EINVAL.
  if (syscall === 'reset') return true;
  if (typeof code === 'string')
    return NETWORK_CODES.has(code) || SQLSTATES.has(code) || SQLSTATE_CLASSES.test(code);
  return DRIVER_MESSAGES.test(error.message);
}

/** Raised by the functions in migration 0098. */
const TUTOR_MOVED = 'LB001';

/** True if the tutor is being moved to another installation, or has been moved. */
export const isTutorMoved = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === TUTOR_MOVED;

export const tutorMovedError = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'This account is being moved to another server. Please try again in a minute.',
    { retryAfterSeconds: 2, cause },
  );

export const databaseUnavailableError = (cause: unknown): AppError =>
  new AppError('unavailable', 'Lessonbook is busy. Please try again in a moment.', {
    retryAfterSeconds: 2,
    cause,
  });

/** The server has been demoted; a new connection may reach the new primary. */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === READ_ONLY_TRANSACTION;

/** After an error without an SQLSTATE the connection may be broken. */
export const isConnectionUsable = (failure: unknown): boolean =>
  failure === undefined || (failure instanceof pg.DatabaseError && !isReadOnlyServer(failure));
