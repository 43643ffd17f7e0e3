export interface ErrorDetails {
  status: number;
  type?: 'invalid_request_error' | 'api_error' | 'card_error' | 'idempotency_error';
  code?: string;
  message: string;
  param?: string;
  /** Found before any work began: Stripe keeps no idempotent answer for these. */
  beforeWork?: boolean;
}

/** An answer with `error` in it. Anything else thrown is a fault of the stand-in itself. */
export class ApiError extends Error {
  readonly details: ErrorDetails;

  constructor(facts: ErrorDetails) {
    super(facts.message);
    this.name = 'Refusal';
    this.details = facts;
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

export function noSuch(what: string, id: string, param: string): ApiError {
  const message = `No such ${what}: '${id}'`;
  return new ApiError({ status: 404, code: 'resource_missing', message, param });
}

export function missingParam(param: string): ApiError {
  const message = `Missing required param: ${param}.`;
  return new ApiError({ status: 400, code: 'parameter_missing', message, param, beforeWork: true });
}

export function invalidParam(param: string, message: string, code?: string): ApiError {
  return new ApiError({
    status: 400,
    message,
    param,
    beforeWork: true,
    ...(code === undefined ? {} : { code }),
  });
}

/** The key may be right, but not for this account: never connected, disconnected or closed. */
export function noAccess(accountId: string): ApiError {
  return new ApiError({
    status: 403,
    code: 'account_invalid',
    message:
      `The provided key 'sk_test_***' does not have access to account '${accountId}' ` +
      '(or that account does not exist). Application access may have been revoked.',
  });
}
