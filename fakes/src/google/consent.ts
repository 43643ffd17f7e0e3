import { CALENDAR_SCOPE, type Consent, type Grants } from './grants.ts';
import type { IdKind } from './ids.ts';
import { OauthError } from './oauth-error.ts';

export interface Client {
  id: string;
  secret: string;
  /** Where Google may send people back to; any address when left out. */
  redirectUris?: readonly string[];
}

export type Decision =
  | 'allow'
  /** Leaves the box beside the calendar empty. */
  | 'allow-without-calendar'
  | 'refuse';

/** What the app asks of whoever opens the consent page. */
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
  /** Google does without; the product never should. */
  requirePkce: boolean;
  /** Consent pages that are open somewhere. */
  requests: Map<string, ConsentRequest>;
}

/** Reads the address the app sent the browser to. What is wrong with it is shown, never sent back. */
export function parseConsentRequest(parts: ConsentContext, query: URLSearchParams): ConsentRequest {
  const { client, requirePkce, requests, newId } = parts;
  const refuse = (code: string, why: string) => new OauthError(400, code, why);
  if (query.get('client_id') !== client.id) {
    throw new OauthError(401, 'invalid_client', 'The OAuth client was not found.');
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  const known = client.redirectUris?.includes(redirectUri) ?? /^https?:\/\//.test(redirectUri);
  if (!known || !URL.canParse(redirectUri)) {
    throw refuse('redirect_uri_mismatch', `${redirectUri} is not registered for this app.`);
  }
  if (query.get('response_type') !== 'code') {
    throw refuse('unsupported_response_type', 'Only the code flow is covered.');
  }
  const scopes = [...new Set((query.get('scope') ?? '').split(' ').filter(Boolean))];
  if (scopes.length === 0) throw refuse('invalid_request', 'Missing required parameter: scope');
  const strange = scopes.filter((scope) => !KNOWN_SCOPES.has(scope));
  if (strange.length > 0) throw refuse('invalid_scope', `Not for this app: ${strange.join(' ')}`);
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method') ?? 'plain';
  if (method !== 'S256' && method !== 'plain') {
    throw refuse('invalid_request', 'Invalid code_challenge_method');
  }
  if (requirePkce && (challenge === null || method !== 'S256')) {
    throw refuse('invalid_request', 'The stand-in wants a code_challenge with S256.');
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

/** Where the browser goes after the button. */
export function applyDecision(
  parts: ConsentContext,
  request: ConsentRequest,
  user: string,
  decision: Decision,
): string {
  const back = new URL(request.redirectUri);
  if (request.state !== null) back.searchParams.set('state', request.state);
  if (decision === 'refuse') {
    back.searchParams.set('error', 'access_denied');
    return back.href;
  }
  const scopes = grantedScopes(parts.grants, request, user, decision);
  const consent: Consent = {
    user,
    scopes,
    redirectUri: request.redirectUri,
    challenge: request.challenge,
    challengeMethod: request.challengeMethod,
    offline: request.offline,
    asked: request.promptConsent,
  };
  back.searchParams.set('code', parts.grants.codeFor(consent));
  back.searchParams.set('scope', scopes.join(' '));
  back.searchParams.set('authuser', '0');
  back.searchParams.set('prompt', request.promptConsent ? 'consent' : 'none');
  return back.href;
}

function grantedScopes(
  grants: Grants,
  request: ConsentRequest,
  user: string,
  decision: Decision,
): string[] {
  const before = request.includeGranted ? (grants.scopesOf(user) ?? []) : [];
  const all = [...new Set([...before, ...request.scopes])];
  return decision === 'allow' ? all : all.filter((scope) => scope !== CALENDAR_SCOPE);
}
