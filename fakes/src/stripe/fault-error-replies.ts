import type { Fault, Faults } from '../shared/faults.ts';

/** With `stored`, a repeated request with the same idempotency key gets the error again. */
interface IdempotentFault {
  stored?: boolean;
}

export type StripeFault = Fault<IdempotentFault>;
export type StripeFaults = Faults<IdempotentFault>;

export function faultBody(status: number): object {
  if (status === 429) {
    return {
      error: {
        type: 'invalid_request_error',
        code: 'rate_limit',
        message:
          'Request rate limit exceeded. Learn more about rate limits at https://docs.stripe.com/rate-limits.',
      },
    };
  }
  return {
    error: {
      type: 'api_error',
      code: 'api_error',
      message: 'An unknown error occurred. Sorry about that! Please try again.',
    },
  };
}
