import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as openid from 'openid-client';

/** The secrets for one authorisation request. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The verified claims from the ID token. Only `subject` is unique and never reassigned. */
export interface GoogleIdentity {
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly hostedDomain: string | null;
  readonly name: string | null;
  readonly picture: string | null;
}

/** Google rejected the request, or its response failed a check. */
export class GoogleSignInError extends Error {
  /** The check that failed. It is logged, so it never contains any part of the token. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Google sign-in failed: ${reason}`);
    this.name = 'GoogleSignInError';
    this.reason = reason;
  }
}

export interface GoogleSignIn {
  authorizationUrl(secrets: SignInSecrets): Promise<string>;
  /** Throws GoogleSignInError. */
  exchangeCode(
    callback: { code: string; iss?: string | undefined },
    secrets: SignInSecrets,
  ): Promise<GoogleIdentity>;
}

interface Options {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

const TIMEOUT_SECONDS = 10;
const CLOCK_SKEW_SECONDS = 30;

/** OpenID Connect authorisation code flow with PKCE. The tokens never leave this file. */
export function googleOpenId(options: Options): GoogleSignIn {
  let discovered: ReturnType<typeof discover> | undefined;

  /** Caches the configuration, but not failures. */
  function discoverOnce() {
    discovered ??= discover(options).catch((error: unknown) => {
      discovered = undefined;
      throw toSignInError(error);
    });
    return discovered;
  }

  return {
    async authorizationUrl({ state, nonce, verifier }) {
      const { configuration } = await discoverOnce();
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: options.redirectUri,
        scope: 'openid email profile',
        // Lets users who have several Google accounts choose one.
        prompt: 'select_account',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async exchangeCode({ code, iss }, { state, nonce, verifier }) {
      const { configuration, keys } = await discoverOnce();
      const callbackUrl = new URL(options.redirectUri);
      callbackUrl.search = new URLSearchParams({ code, state, ...(iss ? { iss } : {}) }).toString();
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        // The library relies on TLS rather than the signature; we verify the signature as well.
        const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
          algorithms: ['RS256'],
          issuer: configuration.serverMetadata().issuer,
          audience: options.clientId,
          requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
          clockTolerance: CLOCK_SKEW_SECONDS,
        });
        if (payload['nonce'] !== nonce) throw new GoogleSignInError('nonce');
        return parseIdentity(payload);
      } catch (error) {
        throw toSignInError(error);
      }
    },
  };
}

async function discover(options: Options) {
  const issuer = new URL(options.issuer);
  const configuration = await openid.discovery(
    issuer,
    options.clientId,
    {
      id_token_signed_response_alg: 'RS256',
      [openid.clockTolerance]: CLOCK_SKEW_SECONDS,
    },
    openid.ClientSecretPost(options.clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      // env-schema.ts allows http only for loopback addresses.
      execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
    },
  );
  const { jwks_uri: jwksUri } = configuration.serverMetadata();
  if (!jwksUri) throw new GoogleSignInError('no keys');
  const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: TIMEOUT_SECONDS * 1000 });
  return { configuration, keys };
}

/** Claims of an unexpected type or length count as missing. */
function parseIdentity(claims: Record<string, unknown>): GoogleIdentity {
  const readText = (name: string, maxLength: number): string | null => {
    const value = claims[name];
    if (typeof value !== 'string' || value.length > maxLength) return null;
    return value.replace(/\p{Cc}/gu, '').trim() || null;
  };
  const subject = readText('sub', 255);
  if (!subject) throw new GoogleSignInError('no user');
  const email = readText('email', 254);
  return {
    subject,
    email: email && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null,
    emailVerified: claims['email_verified'] === true,
    hostedDomain: readText('hd', 253),
    name: readText('name', 1000),
    picture: readText('picture', 2000),
  };
}

/** Replaces library errors, which contain the contents of the token and must not be logged. */
function toSignInError(error: unknown): GoogleSignInError {
  if (error instanceof GoogleSignInError) return error;
  const { code, name } = error as { code?: string; name?: string };
  return new GoogleSignInError(code ?? name ?? 'unknown');
}
