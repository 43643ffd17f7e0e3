import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Person } from './people.ts';

/** What a provider remembers until it is stopped: logins, codes, grants. */
function createMemoryAdapter(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>();

  return (kind) => {
    const key = (id: string) => `${kind}:${id}`;
    const findBy = (fits: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([name, payload]) => name.startsWith(`${kind}:`) && fits(payload))?.[1];
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (code) => findBy((payload) => payload.userCode === code),
      consume: async (id) => {
        const payload = kept.get(key(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name);
      },
    };
  };
}

export interface SignInClient {
  id: string;
  secret: string;
  /** The addresses to which a browser may be sent back. */
  returnTo: string[];
}

/** Set up as Google is: PKCE allowed, RS256, and what it says about a person inside the ID token. */
export function createConfiguration(
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
    adapter: createMemoryAdapter(),
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
