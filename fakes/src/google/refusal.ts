export interface RefusalFacts {
  status: number;
  reason: string;
  message: string;
  domain?: string;
  /** What was wrong, such as a parameter's name. */
  location?: string;
  locationType?: 'parameter' | 'header';
  /** Google's newer names beside the older reasons; only some answers have them. */
  grpcStatus?: string;
  /** Where the detail says it in other words than the whole. */
  detail?: string;
}

/** An answer with `error` in it. Anything else thrown is a fault of the stand-in itself. */
export class Refusal extends Error {
  readonly facts: RefusalFacts;

  constructor(facts: RefusalFacts) {
    super(facts.message);
    this.name = 'Refusal';
    this.facts = facts;
  }

  get body(): object {
    const { status, reason, message, domain = 'global', location, locationType } = this.facts;
    const detail = {
      message: this.facts.detail ?? message,
      domain,
      reason,
      ...(location === undefined ? {} : { location, locationType: locationType ?? 'parameter' }),
    };
    const { grpcStatus } = this.facts;
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

export function notFound(): Refusal {
  return new Refusal({ status: 404, reason: 'notFound', message: 'Not Found' });
}

export function invalid(message: string, location?: string): Refusal {
  return new Refusal({
    status: 400,
    reason: 'invalid',
    message,
    ...(location === undefined ? {} : { location }),
  });
}

export function required(message: string): Refusal {
  return new Refusal({ status: 400, reason: 'required', message });
}

export function badRequest(message: string): Refusal {
  return new Refusal({ status: 400, reason: 'badRequest', message });
}

export function emptyRange(): Refusal {
  const message = 'The specified time range is empty.';
  return new Refusal({ status: 400, reason: 'timeRangeEmpty', domain: 'calendar', message });
}

/** Google has it, the stand-in does not: better said than half done. */
export function notCovered(what: string): Refusal {
  const message = `The stand-in for Google does not cover ${what}.`;
  return new Refusal({ status: 501, reason: 'notImplemented', message });
}

export function checkIfMatch(ifMatch: string | null, etag: string): void {
  if (ifMatch === null || ifMatch === '*' || ifMatch === etag) return;
  throw new Refusal({
    status: 412,
    reason: 'conditionNotMet',
    message: 'Precondition Failed',
    location: 'If-Match',
    locationType: 'header',
  });
}

const WORDS: Record<number, readonly [reason: string, message: string, domain?: string]> = {
  400: ['badRequest', 'Bad Request'],
  401: ['authError', 'Invalid Credentials'],
  403: ['rateLimitExceeded', 'Rate Limit Exceeded', 'usageLimits'],
  404: ['notFound', 'Not Found'],
  409: ['duplicate', 'The requested identifier already exists.'],
  410: ['deleted', 'Resource has been deleted'],
  412: ['conditionNotMet', 'Precondition Failed'],
  429: ['rateLimitExceeded', 'Rate Limit Exceeded', 'usageLimits'],
};

/** What Google says with a status, for faults; the reason can be chosen. */
export function refusalOf(status: number, chosen?: string): Refusal {
  const [reason, message, domain = 'global'] = WORDS[status] ?? ['backendError', 'Backend Error'];
  return new Refusal({ status, reason: chosen ?? reason, message, domain });
}
