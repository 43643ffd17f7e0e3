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
export class NotVouchedFor extends Error {
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
  wayThere(secrets: SignInSecrets): Promise<string>;
  /** Whom Google vouches for with this code. Throws `NotVouchedFor`. */
  identityBehind(
    answer: { code: string; iss?: string | undefined },
    secrets: SignInSecrets,
  ): Promise<GoogleIdentity>;
}

interface Options {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of ours to which Google sends the browser back. */
  readonly returnTo: string;
}

const PATIENCE_SECONDS = 10;
/** Two machines never agree about the time. */
const CLOCK_SKEW_SECONDS = 30;

/** OpenID Connect, authorisation code with PKCE. The tokens are read here and go no further. */
export function googleOpenId(options: Options): GoogleSignIn {
  let known: ReturnType<typeof discover> | undefined;

  /** Asked once; a failure is not remembered. */
  function provider() {
    known ??= discover(options).catch((error: unknown) => {
      known = undefined;
      throw notVouched(error);
    });
    return known;
  }

  return {
    async wayThere({ state, nonce, verifier }) {
      const { configuration } = await provider();
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: options.returnTo,
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

    async identityBehind({ code, iss }, { state, nonce, verifier }) {
      const { configuration, keys } = await provider();
      const cameBack = new URL(options.returnTo);
      cameBack.search = new URLSearchParams({ code, state, ...(iss ? { iss } : {}) }).toString();
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, cameBack, {
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
        if (payload['nonce'] !== nonce) throw new NotVouchedFor('nonce');
        return identityIn(payload);
      } catch (error) {
        throw notVouched(error);
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
      timeout: PATIENCE_SECONDS,
      // Only an issuer on this machine may have such an address: see config.ts.
      execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
    },
  );
  const { jwks_uri: keysAt } = configuration.serverMetadata();
  if (!keysAt) throw new NotVouchedFor('no keys');
  const keys = createRemoteJWKSet(new URL(keysAt), { timeoutDuration: PATIENCE_SECONDS * 1000 });
  return { configuration, keys };
}

/** What cannot be what it should be counts as not said. */
function identityIn(claims: Record<string, unknown>): GoogleIdentity {
  const text = (name: string, longest: number): string | null => {
    const value = claims[name];
    if (typeof value !== 'string' || value.length > longest) return null;
    return value.replace(/\p{Cc}/gu, '').trim() || null;
  };
  const subject = text('sub', 255);
  if (!subject) throw new NotVouchedFor('no user');
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
function notVouched(error: unknown): NotVouchedFor {
  if (error instanceof NotVouchedFor) return error;
  const { code, name } = error as { code?: string; name?: string };
  return new NotVouchedFor(code ?? name ?? 'unknown');
}
