export interface ErrorDetails {
  status: number;
  type?: 'invalid_request_error' | 'api_error' | 'card_error' | 'idempotency_error';
  code?: string;
  message: string;
  param?: string;
  /** Rejected before processing: Stripe stores no idempotent response for these. */
  beforeProcessing?: boolean;
}

/** An error response. Anything else thrown is a bug in the fake. */
export class ApiError extends Error {
  readonly details: ErrorDetails;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.details = details;
  }

  get body(): { error: Record<string, string> } {
    const { type = 'invalid_request_error', code, message, param } = this.details;
    return {
      error: {
        type,
        ...(code === undefined ? {} : { code, doc_url: docUrl(code) }),
        message,
        ...(param === undefined ? {} : { param }),
      },
    };
  }
}

function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
}

export function noSuchObject(objectType: string, id: string, param: string): ApiError {
  const message = `No such ${objectType}: '${id}'`;
  return new ApiError({ status: 404, code: 'resource_missing', message, param });
}

export function missingParam(param: string): ApiError {
  const message = `Missing required param: ${param}.`;
  return new ApiError({
    status: 400,
    code: 'parameter_missing',
    message,
    param,
    beforeProcessing: true,
  });
}

export function invalidParam(param: string, message: string, code?: string): ApiError {
  return new ApiError({
    status: 400,
    message,
    param,
    beforeProcessing: true,
    ...(code === undefined ? {} : { code }),
  });
}

/** The key has no access to this account: never connected, disconnected or closed. */
export function noAccessToAccount(accountId: string): ApiError {
  return new ApiError({
    status: 403,
    code: 'account_invalid',
    message:
      `The provided key 'sk_test_***' does not have access to account '${accountId}' ` +
      '(or that account does not exist). Application access may have been revoked.',
  });
}
