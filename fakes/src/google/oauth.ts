import { readHeader } from '../shared/http-request-and-reply.ts';
import type { HttpExchange } from '../shared/server.ts';
import type { Client } from './consent.ts';
import type { Grants } from './grants.ts';
import { OauthError, oauthErrorFor } from './oauth-error.ts';
import { type ApiResponse, type GoogleFaults, respond } from './respond-or-apply-fault.ts';

export interface OauthContext {
  client: Client;
  grants: Grants;
  faults: GoogleFaults;
}

/** Handles `/token` and `/revoke`; returns false for other paths. */
export async function handleOauth(context: OauthContext, exchange: HttpExchange): Promise<boolean> {
  const path = exchange.url.pathname;
  if (path !== '/token' && path !== '/revoke') return false;
  const handle = () =>
    path === '/token'
      ? handleTokenRequest(context, exchange)
      : handleRevokeRequest(context, exchange);
  await respond(exchange, context.faults, () => toResponse(handle), toErrorResponse);
  return true;
}

function toResponse(handle: () => object): ApiResponse {
  try {
    return { status: 200, body: handle() };
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    return { status: error.status, body: error.body };
  }
}

function toErrorResponse(status: number, reason: string | undefined): ApiResponse {
  return { status, body: oauthErrorFor(status, reason).body };
}

function handleTokenRequest({ client, grants }: OauthContext, exchange: HttpExchange): object {
  if (exchange.method !== 'POST') {
    throw new OauthError(405, 'invalid_request', 'Only POST is supported.');
  }
  const form = new URLSearchParams(exchange.body);
  checkClient(client, exchange, form);
  const requireParam = (name: string): string => {
    const value = form.get(name);
    if (value) return value;
    throw new OauthError(400, 'invalid_request', `Missing required parameter: ${name}`);
  };
  const grantType = form.get('grant_type') ?? '';
  switch (grantType) {
    case 'authorization_code':
      return grants.exchangeCode(
        requireParam('code'),
        requireParam('redirect_uri'),
        form.get('code_verifier'),
      );
    case 'refresh_token':
      return grants.refresh(requireParam('refresh_token'));
    default:
      throw new OauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
  }
}

/** Credentials come in the body or, depending on the library's settings, in the header. */
function checkClient(client: Client, { request }: HttpExchange, form: URLSearchParams): void {
  const basic = /^Basic (?<encoded>.+)$/.exec(readHeader(request, 'authorization') ?? '')?.groups;
  const [id, secret] =
    basic?.['encoded'] === undefined
      ? [form.get('client_id'), form.get('client_secret')]
      : Buffer.from(basic['encoded'], 'base64').toString().split(':');
  if (id !== client.id) {
    throw new OauthError(401, 'invalid_client', 'The OAuth client was not found.');
  }
  if (secret !== client.secret) throw new OauthError(401, 'invalid_client', 'Unauthorized');
}

/** The token is in the query or the body; no client authentication is needed. */
function handleRevokeRequest({ grants }: OauthContext, { url, body }: HttpExchange): object {
  const token = url.searchParams.get('token') ?? new URLSearchParams(body).get('token');
  if (!token) throw new OauthError(400, 'invalid_request', 'Missing required parameter: token');
  grants.revokeToken(token);
  return {};
}
