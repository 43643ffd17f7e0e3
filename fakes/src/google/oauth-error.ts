/** An error response from the OAuth endpoints, whose format differs from the API's. */
export class OauthError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.name = 'OauthError';
    this.status = status;
    this.code = code;
  }

  get body(): object {
    return { error: this.code, error_description: this.message };
  }
}

const MESSAGES: Record<number, readonly [code: string, description: string]> = {
  400: ['invalid_grant', 'Token has been expired or revoked.'],
  401: ['invalid_client', 'Unauthorized'],
  403: ['rate_limit_exceeded', 'Rate Limit Exceeded'],
  429: ['rate_limit_exceeded', 'Rate Limit Exceeded'],
};

/** The default OAuth error for a status, for faults. */
export function oauthErrorFor(status: number, codeOverride?: string): OauthError {
  const [code, description] = MESSAGES[status] ?? ['internal_failure', 'Internal error'];
  return new OauthError(status, codeOverride ?? code, description);
}
