export interface ErrorDetails {
  status: number;
  reason: string;
  message: string;
  domain?: string;
  /** The invalid part, such as a parameter's name. */
  location?: string;
  locationType?: 'parameter' | 'header';
  /** Google's newer status names; only some errors have them. */
  grpcStatus?: string;
  /** The message in `errors[0]`, if it differs from the top-level one. */
  detail?: string;
}

/** An error response. Anything else thrown is a bug in the fake. */
export class ApiError extends Error {
  readonly details: ErrorDetails;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.details = details;
  }

  get body(): object {
    const { status, reason, message, domain = 'global', location, locationType } = this.details;
    const detail = {
      message: this.details.detail ?? message,
      domain,
      reason,
      ...(location === undefined ? {} : { location, locationType: locationType ?? 'parameter' }),
    };
    const { grpcStatus } = this.details;
    return {
      error: {
        code: status,
        message,
        errors: [detail],
        ...(grpcStatus === undefined ? {} : { status: grpcStatus }),
      },
    };
  }
}

export function notFound(): ApiError {
  return new ApiError({ status: 404, reason: 'notFound', message: 'Not Found' });
}

export function invalid(message: string, location?: string): ApiError {
  return new ApiError({
    status: 400,
    reason: 'invalid',
    message,
    ...(location === undefined ? {} : { location }),
  });
}

export function required(message: string): ApiError {
  return new ApiError({ status: 400, reason: 'required', message });
}

export function badRequest(message: string): ApiError {
  return new ApiError({ status: 400, reason: 'badRequest', message });
}

export function emptyRange(): ApiError {
  const message = 'The specified time range is empty.';
  return new ApiError({ status: 400, reason: 'timeRangeEmpty', domain: 'calendar', message });
}

/** A Google feature that the fake does not implement. */
export function notSupported(feature: string): ApiError {
  const message = `Fake Google does not support ${feature}.`;
  return new ApiError({ status: 501, reason: 'notImplemented', message });
}

export function checkIfMatch(ifMatch: string | null, etag: string): void {
  if (ifMatch === null || ifMatch === '*' || ifMatch === etag) return;
  throw new ApiError({
    status: 412,
    reason: 'conditionNotMet',
    message: 'Precondition Failed',
    location: 'If-Match',
    locationType: 'header',
  });
}

const MESSAGES: Record<number, readonly [reason: string, message: string, domain?: string]> = {
  400: ['badRequest', 'Bad Request'],
  401: ['authError', 'Invalid Credentials'],
  403: ['rateLimitExceeded', 'Rate Limit Exceeded', 'usageLimits'],
  404: ['notFound', 'Not Found'],
  409: ['duplicate', 'The requested identifier already exists.'],
  410: ['deleted', 'Resource has been deleted'],
  412: ['conditionNotMet', 'Precondition Failed'],
  429: ['rateLimitExceeded', 'Rate Limit Exceeded', 'usageLimits'],
};

/** Google's default error for a status, used for injected faults and internal errors; `reasonOverride` replaces the reason. */
export function apiErrorFor(status: number, reasonOverride?: string): ApiError {
  const [reason, message, domain = 'global'] = MESSAGES[status] ?? [
    'backendError',
    'Backend Error',
  ];
  return new ApiError({ status, reason: reasonOverride ?? reason, message, domain });
}
