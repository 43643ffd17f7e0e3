import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Configuration, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { memory } from './memory.ts';
import type { Person } from './people.ts';

export interface SignInClient {
  id: string;
  secret: string;
  /** The addresses to which a browser may be sent back. */
  returnTo: string[];
}

/** Set up as Google is: PKCE allowed, RS256, and what it says about a person inside the ID token. */
export function configurationFor(
  client: SignInClient,
  people: ReadonlyMap<string, Person>,
): Configuration {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: client.returnTo,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'RS256',
      },
    ],
    adapter: memory(),
    jwks: { keys: [newKey()] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    claims: {
      openid: ['sub', 'hd'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture'],
    },
    scopes: ['openid', 'email', 'profile'],
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `/choose/${uid}` },
    ttl: { Session: 3600, Interaction: 900, Grant: 3600, IdToken: 3600, AccessToken: 3600 },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    renderError: renderProblem,
  };
}

function renderProblem(context: KoaContextWithOIDC, out: { error: string }): void {
  context.type = 'text';
  context.body = `The stand-in for Google refuses: ${out.error}`;
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'stand-in' };
}
