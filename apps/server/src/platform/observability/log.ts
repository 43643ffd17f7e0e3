import { type Logger, pino } from 'pino';

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

/** Omits the detail of a database error, which quotes the row ("Key (email)=(…) already exists"). */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
