import { header } from '../shared/reply.ts';
import type { Exchange } from '../shared/server.ts';
import { type Answer, answerWith, type GoogleFaults } from './answer.ts';
import type { Client } from './consent.ts';
import type { Grants } from './grants.ts';
import { OauthRefusal, oauthRefusalOf } from './oauth-refusal.ts';

export interface OauthParts {
  client: Client;
  grants: Grants;
  faults: GoogleFaults;
}

/** `/token` and `/revoke`: true when the path was one of theirs. */
export async function answerOauth(parts: OauthParts, exchange: Exchange): Promise<boolean> {
  const path = exchange.url.pathname;
  if (path !== '/token' && path !== '/revoke') return false;
  const work = () => (path === '/token' ? token(parts, exchange) : revoke(parts, exchange));
  await answerWith(exchange, parts.faults, () => guarded(work), failing);
  return true;
}

function guarded(work: () => object): Answer {
  try {
    return { status: 200, body: work() };
  } catch (problem) {
    if (!(problem instanceof OauthRefusal)) throw problem;
    return { status: problem.status, body: problem.body };
  }
}

function failing(status: number, reason: string | undefined): Answer {
  return { status, body: oauthRefusalOf(status, reason).body };
}

function token({ client, grants }: OauthParts, exchange: Exchange): object {
  if (exchange.method !== 'POST') {
    throw new OauthRefusal(405, 'invalid_request', 'Only POST is supported.');
  }
  const form = new URLSearchParams(exchange.body);
  checkClient(client, exchange, form);
  const need = (name: string): string => {
    const value = form.get(name);
    if (value) return value;
    throw new OauthRefusal(400, 'invalid_request', `Missing required parameter: ${name}`);
  };
  const grantType = form.get('grant_type') ?? '';
  switch (grantType) {
    case 'authorization_code':
      return grants.exchange(need('code'), need('redirect_uri'), form.get('code_verifier'));
    case 'refresh_token':
      return grants.refresh(need('refresh_token'));
    default:
      throw new OauthRefusal(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
  }
}

/** By the body or, as some settings of the library do, by the header. */
function checkClient(client: Client, { request }: Exchange, form: URLSearchParams): void {
  const basic = /^Basic (?<coded>.+)$/.exec(header(request, 'authorization') ?? '')?.groups;
  const [id, secret] =
    basic?.['coded'] === undefined
      ? [form.get('client_id'), form.get('client_secret')]
      : Buffer.from(basic['coded'], 'base64').toString().split(':');
  if (id !== client.id) {
    throw new OauthRefusal(401, 'invalid_client', 'The OAuth client was not found.');
  }
  if (secret !== client.secret) throw new OauthRefusal(401, 'invalid_client', 'Unauthorized');
}

/** The token comes in the address or in the body; no client is asked for. */
function revoke({ grants }: OauthParts, { url, body }: Exchange): object {
  const given = url.searchParams.get('token') ?? new URLSearchParams(body).get('token');
  if (!given) throw new OauthRefusal(400, 'invalid_request', 'Missing required parameter: token');
  grants.revokeToken(given);
  return {};
}
