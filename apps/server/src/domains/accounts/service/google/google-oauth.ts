import type {
  AuthPage,
  GoogleCallbackResult,
  PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../../context.ts';
import { type GoogleIdentity, GoogleSignInError } from '../../../../integrations/google-sign-in.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken, randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import {
  consumeOAuthState,
  deleteExpiredOAuthStates,
  insertOAuthState,
} from '../../queries/oauth-states.ts';
import {
  deleteExpiredPendingIdentities,
  findLatestPendingIdentity,
  insertPendingIdentity,
} from '../../queries/pending-google-sign-ins.ts';
import {
  oauthBrowserExpiry,
  oauthStateExpiry,
  pendingSignInExpiry,
} from '../../rules/expirations.ts';
import { toDisplayName } from '../../rules/google-sign-up-names.ts';
import { googleByNetwork } from '../rate-limits.ts';

export interface GoogleRedirect {
  url: string;
  /** The new cookie; null leaves the cookie unchanged. */
  browserCookie: { value: string; expiresAt: Date } | null;
}

/** Starts the OAuth flow. The browser receives a secret cookie, which the callback checks. */
export async function startGoogleOAuth(
  context: Context,
  page: AuthPage,
  browserToken: string,
  requestContext: RequestContext,
): Promise<GoogleRedirect> {
  const { db, clock, config, googleSignIn, limiter } = context;
  if (!googleSignIn) throw new AppError('not_found', "We couldn't find that.");
  try {
    await limiter.consume(googleByNetwork, requestContext.network);
    // Keep an existing cookie: another tab may be in the middle of the flow.
    const value = /^[\w-]{43}$/.test(browserToken) ? browserToken : randomToken(32);
    const state = randomToken(32);
    const url = await googleSignIn.authorizationUrl(deriveOAuthSecrets(config.secretKey, state));
    const now = clock.now();
    await insertOAuthState(db.global, {
      stateHash: sha256(state),
      browserHash: sha256(value),
      page,
      expiresAt: oauthStateExpiry(now),
    });
    return { url, browserCookie: { value, expiresAt: oauthBrowserExpiry(now) } };
  } catch (error) {
    return {
      url: buildReturnUrl(config.origin, page, toReturnStatus(context, error)),
      browserCookie: null,
    };
  }
}

export interface GoogleCallbackParams {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
}

/** Stores the identity from Google for a short time and returns the URL to redirect to. */
export async function handleGoogleCallback(
  context: Context,
  params: GoogleCallbackParams,
  browserToken: string,
): Promise<string> {
  const { db, clock, config } = context;
  const { state, code, error } = params;
  const browserHash = sha256(browserToken);
  const oauthState =
    browserToken && state
      ? await consumeOAuthState(db.global, sha256(state), browserHash, clock.now())
      : undefined;
  // The state is unknown, has expired, has already been used or belongs to another browser.
  if (!oauthState || !state) return buildReturnUrl(config.origin, 'login', 'failed');
  const redirectWith = (status: GoogleCallbackResult) =>
    buildReturnUrl(config.origin, oauthState.page as AuthPage, status);
  if (error === 'access_denied') return redirectWith('cancelled');
  try {
    const identity = await fetchGoogleIdentity(context, { ...params, code: code ?? '' }, state);
    await storePendingIdentity(context, identity, browserHash);
    return redirectWith('done');
  } catch (problem) {
    return redirectWith(toReturnStatus(context, problem));
  }
}

async function fetchGoogleIdentity(
  context: Context,
  params: { code: string; iss?: string | undefined },
  state: string,
): Promise<GoogleIdentity> {
  const { config, googleSignIn } = context;
  if (!googleSignIn || !params.code) throw new GoogleSignInError('the callback has no code');
  return googleSignIn.exchangeCode(params, deriveOAuthSecrets(config.secretKey, state));
}

async function storePendingIdentity(
  context: Context,
  identity: GoogleIdentity,
  browserHash: Buffer,
): Promise<void> {
  const { db, clock, config } = context;
  const now = clock.now();
  const id = uuidV7(now);
  await deleteExpiredOAuthStates(db.global, now);
  await deleteExpiredPendingIdentities(db.global, now);
  await insertPendingIdentity(db.global, {
    ...identity,
    name: toDisplayName(identity.name, identity.email ?? ''),
    id,
    tokenHash: sha256(deriveCredential(config.secretKey, id)),
    browserHash,
    expiresAt: pendingSignInExpiry(now),
  });
}

/** Returns the Google user who last signed in from this browser, with the credential for the next request. */
export async function readPendingSignIn(
  context: Context,
  browserToken: string,
): Promise<{ user: PendingGoogleUser | null }> {
  const { db, clock, config } = context;
  const identity = browserToken
    ? await findLatestPendingIdentity(db.global, sha256(browserToken), clock.now())
    : undefined;
  if (!identity) return { user: null };
  const { id, name, email, subject, picture } = identity;
  const credential = deriveCredential(config.secretKey, id);
  return { user: { credential, name, email, providerId: subject, photoURL: picture } };
}

/** Derived from the secret key, so the database holds no usable secret and any process can handle the callback. */
const deriveOAuthSecrets = (key: Buffer, state: string) => ({
  state,
  nonce: deriveToken(key, 'google-nonce', state),
  verifier: deriveToken(key, 'google-verifier', state),
});

const deriveCredential = (key: Buffer, id: string): string =>
  deriveToken(key, 'google-credential', id);

const buildReturnUrl = (origin: string, page: AuthPage, status: GoogleCallbackResult): string =>
  `${origin}/${page}?google=${status}`;

/** A redirect must lead to a page, so every error becomes a status in the query string. */
function toReturnStatus(context: Context, error: unknown): GoogleCallbackResult {
  if (error instanceof AppError && error.code === 'too_many_requests') return 'busy';
  if (error instanceof GoogleSignInError)
    context.log.warn({ reason: error.reason }, 'Google sign-in was rejected');
  else context.log.error({ err: error }, 'Google sign-in failed');
  return 'failed';
}
