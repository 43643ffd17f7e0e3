import { type Logger, pino } from 'pino';
import { AppError } from '../app-error.ts';

export type Log = Logger;

/**
 * Structured logs without personal data. Requests are logged by route pattern, never by URL, which may contain a token.
 * Errors are logged by name, message and stack. Callers log ids, never rows.
 */
export function createLogger(level: string, process: 'api' | 'worker'): Log {
  return pino({
    level,
    base: { process },
    serializers: { err: serializeError },
    redact: {
      paths: ['*.password', '*.token', '*.email', '*.name', 'req.headers', 'headers'],
      remove: true,
    },
  });
}

/**
 * Omits the detail of a database error, which quotes the row ("Key (email)=(…) already exists"), and messages for users,
 * which may name a family.
 */
export function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const isForUser = error instanceof AppError;
  return {
    type: error.name,
    message: isForUser ? error.code : error.message,
    stack: isForUser ? error.stack?.replace(error.message, error.code) : error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
