import type { ErrorCode, Overlap } from '@lessonbook/contract/errors';

/** A refusal the caller may read. Anything else that is thrown is a fault and is answered blandly. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly overlaps: Overlap[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      fields?: Record<string, string>;
      retryAfterSeconds?: number;
      overlaps?: Overlap[];
      /** For the log alone. */
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.overlaps = more.overlaps;
  }
}
