import { CALENDAR_SCOPE, type Consent, type Grants } from './grants.ts';
import type { IdKind } from './id-formats.ts';
import { OauthError } from './oauth-error.ts';

export interface Client {
  id: string;
  secret: string;
  /** Allowed redirect URIs; any if omitted. */
  redirectUris?: readonly string[];
}

export type Decision =
  | 'allow'
  /** Leaves the calendar checkbox unticked. */
  | 'allow-without-calendar'
  | 'refuse';

/** A parsed authorisation request. */
export interface ConsentRequest {
  id: string;
  redirectUri: string;
  state: string | null;
  scopes: string[];
  loginHint: string | null;
  challenge: string | null;
  challengeMethod: 'S256' | 'plain';
  offline: boolean;
  promptConsent: boolean;
  includeGranted: boolean;
}

const KNOWN_SCOPES = new Set([
  CALENDAR_SCOPE,
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
]);

export interface ConsentContext {
  client: Client;
  grants: Grants;
  newId: (kind: IdKind) => string;
  /** Stricter than Google: the product must always use PKCE. */
  requirePkce: boolean;
  /** Open consent pages by id. */
  requests: Map<string, ConsentRequest>;
}

/** Parses the authorisation URL. Errors are shown to the user, not sent to the redirect URI. */
export function parseConsentRequest(
  context: ConsentContext,
  query: URLSearchParams,
): ConsentRequest {
  const { client, requirePkce, requests, newId } = context;
  const requestError = (code: string, message: string) => new OauthError(400, code, message);
  if (query.get('client_id') !== client.id) {
    throw new OauthError(401, 'invalid_client', 'The OAuth client was not found.');
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  const isAllowed = client.redirectUris?.includes(redirectUri) ?? /^https?:\/\//.test(redirectUri);
  if (!isAllowed || !URL.canParse(redirectUri)) {
    throw requestError('redirect_uri_mismatch', `${redirectUri} is not registered for this app.`);
  }
  if (query.get('response_type') !== 'code') {
    throw requestError('unsupported_response_type', 'Only the code flow is supported.');
  }
  const scopes = [...new Set((query.get('scope') ?? '').split(' ').filter(Boolean))];
  if (scopes.length === 0)
    throw requestError('invalid_request', 'Missing required parameter: scope');
  const unknown = scopes.filter((scope) => !KNOWN_SCOPES.has(scope));
  if (unknown.length > 0)
    throw requestError('invalid_scope', `Scopes not allowed: ${unknown.join(' ')}`);
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method') ?? 'plain';
  if (method !== 'S256' && method !== 'plain') {
    throw requestError('invalid_request', 'Invalid code_challenge_method');
  }
  if (requirePkce && (challenge === null || method !== 'S256')) {
    throw requestError('invalid_request', 'The fake requires a code_challenge with S256.');
  }
  const request: ConsentRequest = {
    id: newId('consent'),
    redirectUri,
    state: query.get('state'),
    scopes,
    loginHint: query.get('login_hint'),
    challenge,
    challengeMethod: method,
    offline: query.get('access_type') === 'offline',
    promptConsent: (query.get('prompt') ?? '').split(' ').includes('consent'),
    includeGranted: query.get('include_granted_scopes') === 'true',
  };
  requests.set(request.id, request);
  return request;
}

/** Returns the URL to redirect the browser to. */
export function applyDecision(
  context: ConsentContext,
  request: ConsentRequest,
  user: string,
  decision: Decision,
): string {
  const redirect = new URL(request.redirectUri);
  if (request.state !== null) redirect.searchParams.set('state', request.state);
  if (decision === 'refuse') {
    redirect.searchParams.set('error', 'access_denied');
    return redirect.href;
  }
  const scopes = grantedScopes(context.grants, request, user, decision);
  const consent: Consent = {
    user,
    scopes,
    redirectUri: request.redirectUri,
    challenge: request.challenge,
    challengeMethod: request.challengeMethod,
    offline: request.offline,
    promptConsent: request.promptConsent,
  };
  redirect.searchParams.set('code', context.grants.createCode(consent));
  redirect.searchParams.set('scope', scopes.join(' '));
  redirect.searchParams.set('authuser', '0');
  redirect.searchParams.set('prompt', request.promptConsent ? 'consent' : 'none');
  return redirect.href;
}

function grantedScopes(
  grants: Grants,
  request: ConsentRequest,
  user: string,
  decision: Decision,
): string[] {
  const previous = request.includeGranted ? (grants.scopesOf(user) ?? []) : [];
  const all = [...new Set([...previous, ...request.scopes])];
  return decision === 'allow' ? all : all.filter((scope) => scope !== CALENDAR_SCOPE);
}
