import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Person } from './person.ts';

/** In-memory storage for logins, codes and grants. */
function createMemoryAdapter(): AdapterFactory {
  const entries = new Map<string, AdapterPayload>();

  return (kind) => {
    const key = (id: string) => `${kind}:${id}`;
    const findBy = (matches: (payload: AdapterPayload) => boolean) =>
      [...entries].find(([name, payload]) => name.startsWith(`${kind}:`) && matches(payload))?.[1];
    return {
      upsert: async (id, payload) => void entries.set(key(id), payload),
      find: async (id) => entries.get(key(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (code) => findBy((payload) => payload.userCode === code),
      consume: async (id) => {
        const payload = entries.get(key(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void entries.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [name, payload] of entries)
          if (payload.grantId === grantId) entries.delete(name);
      },
    };
  };
}

export interface SignInClient {
  id: string;
  secret: string;
  /** Allowed redirect URIs. */
  redirectUris: string[];
}

/** Configured like Google, with RS256 and the user's claims in the ID token, except that PKCE is required. */
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
        redirect_uris: client.redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'RS256',
      },
    ],
    adapter: createMemoryAdapter(),
    jwks: { keys: [createSigningKey()] },
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
    renderError,
  };
}

function renderError(context: KoaContextWithOIDC, out: { error: string }): void {
  context.type = 'text';
  context.body = `Fake Google sign-in error: ${out.error}`;
}

function createSigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'fake' };
}
