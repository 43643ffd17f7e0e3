import type {
  AuthPage,
  GoogleCallbackResult,
  PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../../context.ts';
import { type GoogleIdentity, GoogleSignInError } from '../../../../integrations/google-sign-in.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken, randomToken, sha256, uuidV7 } from '../../../../platform/crypto/tokens.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import {
  consumeOAuthState,
  deleteExpiredOAuthRecords,
  insertOAuthState,
  insertTicket,
  latestTicket,
} from '../../queries/oauth-tickets.ts';
import { displayNameFrom } from '../../rules/account-linking.ts';
import { oauthBrowserExpiry, oauthStateExpiry, ticketExpiry } from '../../rules/expirations.ts';
import { googleByNetwork } from '../rate-limits.ts';

export interface GoogleRedirect {
  /** Where the browser goes now. */
  url: string;
  /** What its cookie holds from now on; null to leave it as it is. */
  browser: { value: string; expiresAt: Date } | null;
}

/** Begins the way to Google: the browser gets a secret of its own, by which it is known when it comes back. */
export async function startGoogleOAuth(
  context: Context,
  page: AuthPage,
  browser: string,
  requestContext: RequestContext,
): Promise<GoogleRedirect> {
  const { db, clock, config, googleSignIn, limiter } = context;
  if (!googleSignIn) throw new AppError('not_found', 'There is nothing here.');
  try {
    await limiter.consume(googleByNetwork, requestContext.network);
    // Two tabs of one browser may be on the way at once, so what it has stays.
    const value = /^[\w-]{43}$/.test(browser) ? browser : randomToken(32);
    const state = randomToken(32);
    const url = await googleSignIn.authorizationUrl(deriveOAuthSecrets(config.secretKey, state));
    const now = clock.now();
    await insertOAuthState(db.global, {
      stateHash: sha256(state),
      browserHash: sha256(value),
      page,
      expiresAt: oauthStateExpiry(now),
    });
    return { url, browser: { value, expiresAt: oauthBrowserExpiry(now) } };
  } catch (error) {
    return { url: returnUrl(config.origin, page, toReturnStatus(context, error)), browser: null };
  }
}

export interface GoogleCallbackParams {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
}

/** Google has sent the browser back: whom it vouches for is kept for a minute, and the browser goes on to its page. */
export async function handleGoogleCallback(
  context: Context,
  params: GoogleCallbackParams,
  browser: string,
): Promise<string> {
  const { db, clock, config } = context;
  const { state, code, error } = params;
  const browserHash = sha256(browser);
  const attempt =
    browser && state
      ? await consumeOAuthState(db.global, sha256(state), browserHash, clock.now())
      : undefined;
  // Another browser's way, an old one, one that was gone before, or none of ours at all.
  if (!attempt || !state) return returnUrl(config.origin, 'login', 'failed');
  const to = (status: GoogleCallbackResult) =>
    returnUrl(config.origin, attempt.page as AuthPage, status);
  if (error === 'access_denied') return to('cancelled');
  try {
    const identity = await fetchGoogleIdentity(context, { ...params, code: code ?? '' }, state);
    await storeTicket(context, identity, browserHash);
    return to('done');
  } catch (problem) {
    return to(toReturnStatus(context, problem));
  }
}

async function fetchGoogleIdentity(
  context: Context,
  params: { code: string; iss?: string | undefined },
  state: string,
): Promise<GoogleIdentity> {
  const { config, googleSignIn } = context;
  if (!googleSignIn || !params.code) throw new GoogleSignInError('no code');
  return googleSignIn.exchangeCode(params, deriveOAuthSecrets(config.secretKey, state));
}

async function storeTicket(
  context: Context,
  identity: GoogleIdentity,
  browserHash: Buffer,
): Promise<void> {
  const { db, clock, config } = context;
  const now = clock.now();
  const id = uuidV7(now);
  await deleteExpiredOAuthRecords(db.global, now);
  await insertTicket(db.global, {
    ...identity,
    name: displayNameFrom(identity.name, identity.email ?? ''),
    id,
    tokenHash: sha256(deriveTicketToken(config.secretKey, id)),
    browserHash,
    expiresAt: ticketExpiry(now),
  });
}

/** Whom Google has vouched for in this browser, with the ticket that stands for it. */
export async function readPendingSignIn(
  context: Context,
  browser: string,
): Promise<{ user: PendingGoogleUser | null }> {
  const { db, clock, config } = context;
  const ticket = browser ? await latestTicket(db.global, sha256(browser), clock.now()) : undefined;
  if (!ticket) return { user: null };
  const { id, name, email, subject, picture } = ticket;
  const credential = deriveTicketToken(config.secretKey, id);
  return { user: { credential, name, email, providerId: subject, photoURL: picture } };
}

/** Derived, as mailed links are: a reader of the database can use nothing, and any process can go on with the way. */
const deriveOAuthSecrets = (key: Buffer, state: string) => ({
  state,
  nonce: deriveToken(key, 'google-nonce', state),
  verifier: deriveToken(key, 'google-verifier', state),
});

const deriveTicketToken = (key: Buffer, id: string): string =>
  deriveToken(key, 'google-ticket', id);

const returnUrl = (origin: string, page: AuthPage, status: GoogleCallbackResult): string =>
  `${origin}/${page}?google=${status}`;

/** A browser on its way sees pages, not answers of an API: whatever went wrong, it is brought back to ours. */
function toReturnStatus(context: Context, error: unknown): GoogleCallbackResult {
  if (error instanceof AppError && error.code === 'too_many_requests') return 'busy';
  if (error instanceof GoogleSignInError)
    context.log.warn({ reason: error.reason }, 'Google vouched for nobody');
  else context.log.error({ err: error }, 'a sign-in with Google failed');
  return 'failed';
}
