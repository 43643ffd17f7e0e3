import type { ErrorCode, Overlap } from '@lessonbook/contract/errors';

/** An error whose message is shown to the user. Any other thrown value becomes a generic 500 or 503 response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly overlaps: Overlap[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      fields?: Record<string, string>;
      retryAfterSeconds?: number;
      overlaps?: Overlap[];
      /** Logged, but never sent to the user. */
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.overlaps = options.overlaps;
  }
}

export const loginRequired = (): AppError =>
  new AppError('unauthenticated', 'Please log in to continue.');
