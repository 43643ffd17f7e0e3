import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as openid from 'openid-client';

/** What a way to Google is guarded by; known to us alone until Google gives it back. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person, as Google vouches for them. Only `subject` is sure never to pass to somebody else. */
export interface GoogleIdentity {
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly hostedDomain: string | null;
  readonly name: string | null;
  readonly picture: string | null;
}

/** Google was asked and says no, or what it says does not hold. */
export class GoogleSignInError extends Error {
  /** Names the check that failed. Never the token or a word of it: this goes into the log. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Google did not vouch for anyone: ${reason}`);
    this.name = 'NotVouchedFor';
    this.reason = reason;
  }
}

export interface GoogleSignIn {
  /** Where the browser goes to choose an account. */
  authorizationUrl(secrets: SignInSecrets): Promise<string>;
  /** Whom Google vouches for with this code. Throws `NotVouchedFor`. */
  exchangeCode(
    answer: { code: string; iss?: string | undefined },
    secrets: SignInSecrets,
  ): Promise<GoogleIdentity>;
}

interface Options {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of ours to which Google sends the browser back. */
  readonly redirectUri: string;
}

const TIMEOUT_SECONDS = 10;
/** Two machines never agree about the time. */
const CLOCK_SKEW_SECONDS = 30;

/** OpenID Connect, authorisation code with PKCE. The tokens are read here and go no further. */
export function googleOpenId(options: Options): GoogleSignIn {
  let known: ReturnType<typeof discover> | undefined;

  /** Asked once; a failure is not remembered. */
  function provider() {
    known ??= discover(options).catch((error: unknown) => {
      known = undefined;
      throw toSignInError(error);
    });
    return known;
  }

  return {
    async authorizationUrl({ state, nonce, verifier }) {
      const { configuration } = await provider();
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: options.redirectUri,
        scope: 'openid email profile',
        // Whoever has two accounts at Google must be able to say which.
        prompt: 'select_account',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async exchangeCode({ code, iss }, { state, nonce, verifier }) {
      const { configuration, keys } = await provider();
      const callbackUrl = new URL(options.redirectUri);
      callbackUrl.search = new URLSearchParams({ code, state, ...(iss ? { iss } : {}) }).toString();
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        // The library trusts the line to Google for the signature; we look at the signature as well.
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
      // Only an issuer on this machine may have such an address: see config.ts.
      execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
    },
  );
  const { jwks_uri: jwksUri } = configuration.serverMetadata();
  if (!jwksUri) throw new GoogleSignInError('no keys');
  const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: TIMEOUT_SECONDS * 1000 });
  return { configuration, keys };
}

/** What cannot be what it should be counts as not said. */
function parseIdentity(claims: Record<string, unknown>): GoogleIdentity {
  const text = (name: string, maxLength: number): string | null => {
    const value = claims[name];
    if (typeof value !== 'string' || value.length > maxLength) return null;
    return value.replace(/\p{Cc}/gu, '').trim() || null;
  };
  const subject = text('sub', 255);
  if (!subject) throw new GoogleSignInError('no user');
  const email = text('email', 254);
  return {
    subject,
    email: email && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null,
    emailVerified: claims['email_verified'] === true,
    hostedDomain: text('hd', 253),
    name: text('name', 1000),
    picture: text('picture', 2000),
  };
}

/** Errors of the libraries carry the token's content with them, which must not reach a log. */
function toSignInError(error: unknown): GoogleSignInError {
  if (error instanceof GoogleSignInError) return error;
  const { code, name } = error as { code?: string; name?: string };
  return new GoogleSignInError(code ?? name ?? 'unknown');
}
