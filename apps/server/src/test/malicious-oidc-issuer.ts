import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** How the next ID token differs from a valid one. */
export interface Forgery {
  claims?: JWTPayload;
  /** Names of the claims to leave out. */
  without?: string[];
  signedBy?: 'own key' | 'another key' | 'no key' | 'client secret';
  /** The key id in the token's header. */
  kid?: string;
  /** Replaces the token; null leaves it out. */
  token?: string | null;
  /** Adds the signing key and its URL to the token's header. */
  keyInHeader?: true;
  /** The issuer in the discovery document. */
  discoveryIssuer?: string;
}

/** Starts an OpenID provider that returns forged tokens. It accepts any code and returns the most recently set forgery. */
export async function startMaliciousIssuer(client: { id: string; secret: string }) {
  const ownKeyPair = await generateKeyPair('RS256', { extractable: true });
  const otherKeyPair = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(ownKeyPair.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  let currentForgery: Forgery = {};
  let nonce = '';
  const tokenRequests: URLSearchParams[] = [];

  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on(
      'end',
      () => void respond(request.url ?? '', Buffer.concat(chunks).toString(), reply),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function respond(path: string, body: string, reply: ServerResponse): Promise<void> {
    const json = (value: unknown) =>
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path.endsWith('/openid-configuration')) {
      return void json({
        issuer: currentForgery.discoveryIssuer ?? url,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      });
    }
    if (path === '/keys') return void json({ keys: [jwk] });
    tokenRequests.push(new URLSearchParams(body));
    const idToken =
      currentForgery.token === undefined
        ? await createIdToken(currentForgery)
        : currentForgery.token;
    json({
      access_token: 'unused',
      token_type: 'Bearer',
      ...(idToken === null ? {} : { id_token: idToken }),
    });
  }

  async function createIdToken(forgery: Forgery): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims: JWTPayload = {
      iss: url,
      aud: client.id,
      sub: '31337',
      iat: now,
      exp: now + 3600,
      nonce,
      email: 'mallory@gmail.com',
      email_verified: true,
      name: 'Mallory',
      ...forgery.claims,
    };
    for (const name of forgery.without ?? []) delete claims[name];
    if (forgery.signedBy === 'no key') {
      const encodePart = (value: object) => base64url.encode(JSON.stringify(value));
      return `${encodePart({ alg: 'none' })}.${encodePart(claims)}.`;
    }
    if (forgery.signedBy === 'client secret') {
      const secret = new TextEncoder().encode(client.secret);
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(secret);
    }
    const key = forgery.signedBy === 'another key' ? otherKeyPair : ownKeyPair;
    const headerKey = forgery.keyInHeader ? await exportJWK(key.publicKey) : undefined;
    const header = {
      alg: 'RS256',
      kid: forgery.kid ?? 'own',
      ...(headerKey ? { jwk: headerKey, jku: `${url}/forged-keys` } : {}),
    };
    return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
  }

  return {
    url,
    tokenRequests,
    /** Sets the next token to return, with the nonce from this authorization URL. */
    setForgery: (authUrl: string, forgery: Forgery) => {
      nonce = new URL(authUrl).searchParams.get('nonce') ?? '';
      currentForgery = forgery;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
