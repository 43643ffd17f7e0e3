import type { EntryPage, GoogleReturn, VouchedFor } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../context.ts';
import { type GoogleIdentity, NotVouchedFor } from '../../../integrations/google-sign-in.ts';
import { AppError } from '../../../platform/app-error.ts';
import { derivedToken, randomToken, sha256, uuidV7 } from '../../../platform/crypto.ts';
import type { Visitor } from '../../../platform/http.ts';
import {
  forgetGoogleTraces,
  insertAttempt,
  insertTicket,
  newestTicket,
  takeAttempt,
} from '../queries/google-tickets.ts';
import { nameFrom } from '../rules/google.ts';
import { attemptExpiry, browserExpiry, ticketExpiry } from '../rules/lifetimes.ts';
import { googleByNetwork } from './limits.ts';

export interface WayToGoogle {
  /** Where the browser goes now. */
  url: string;
  /** What its cookie holds from now on; null to leave it as it is. */
  browser: { value: string; expiresAt: Date } | null;
}

/** Begins the way to Google: the browser gets a secret of its own, by which it is known when it comes back. */
export async function setOutForGoogle(
  context: Context,
  page: EntryPage,
  browser: string,
  visitor: Visitor,
): Promise<WayToGoogle> {
  const { db, clock, config, googleSignIn, limiter } = context;
  if (!googleSignIn) throw new AppError('not_found', 'There is nothing here.');
  try {
    await limiter.take(googleByNetwork, visitor.network);
    // Two tabs of one browser may be on the way at once, so what it has stays.
    const value = /^[\w-]{43}$/.test(browser) ? browser : randomToken(32);
    const state = randomToken(32);
    const url = await googleSignIn.wayThere(secretsOf(config.secretKey, state));
    const now = clock.now();
    await insertAttempt(db.global, {
      stateHash: sha256(state),
      browserHash: sha256(value),
      page,
      expiresAt: attemptExpiry(now),
    });
    return { url, browser: { value, expiresAt: browserExpiry(now) } };
  } catch (error) {
    return { url: pageAfter(config.origin, page, wordFor(context, error)), browser: null };
  }
}

export interface GoogleAnswer {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
}

/** Google has sent the browser back: whom it vouches for is kept for a minute, and the browser goes on to its page. */
export async function comeBackFromGoogle(
  context: Context,
  answer: GoogleAnswer,
  browser: string,
): Promise<string> {
  const { db, clock, config } = context;
  const { state, code, error } = answer;
  const browserHash = sha256(browser);
  const attempt =
    browser && state
      ? await takeAttempt(db.global, sha256(state), browserHash, clock.now())
      : undefined;
  // Another browser's way, an old one, one that was gone before, or none of ours at all.
  if (!attempt || !state) return pageAfter(config.origin, 'login', 'failed');
  const to = (word: GoogleReturn) => pageAfter(config.origin, attempt.page as EntryPage, word);
  if (error === 'access_denied') return to('cancelled');
  try {
    const identity = await vouchedBehind(context, { ...answer, code: code ?? '' }, state);
    await keepTicket(context, identity, browserHash);
    return to('done');
  } catch (problem) {
    return to(wordFor(context, problem));
  }
}

async function vouchedBehind(
  context: Context,
  answer: { code: string; iss?: string | undefined },
  state: string,
): Promise<GoogleIdentity> {
  const { config, googleSignIn } = context;
  if (!googleSignIn || !answer.code) throw new NotVouchedFor('no code');
  return googleSignIn.identityBehind(answer, secretsOf(config.secretKey, state));
}

async function keepTicket(
  context: Context,
  identity: GoogleIdentity,
  browserHash: Buffer,
): Promise<void> {
  const { db, clock, config } = context;
  const now = clock.now();
  const id = uuidV7(now);
  await forgetGoogleTraces(db.global, now);
  await insertTicket(db.global, {
    ...identity,
    name: nameFrom(identity.name, identity.email ?? ''),
    id,
    tokenHash: sha256(ticketOf(config.secretKey, id)),
    browserHash,
    expiresAt: ticketExpiry(now),
  });
}

/** Whom Google has vouched for in this browser, with the ticket that stands for it. */
export async function readVouchedFor(
  context: Context,
  browser: string,
): Promise<{ user: VouchedFor | null }> {
  const { db, clock, config } = context;
  const ticket = browser ? await newestTicket(db.global, sha256(browser), clock.now()) : undefined;
  if (!ticket) return { user: null };
  const { id, name, email, subject, picture } = ticket;
  const credential = ticketOf(config.secretKey, id);
  return { user: { credential, name, email, providerId: subject, photoURL: picture } };
}

/** Derived, as mailed links are: a reader of the database can use nothing, and any process can go on with the way. */
const secretsOf = (key: Buffer, state: string) => ({
  state,
  nonce: derivedToken(key, 'google-nonce', state),
  verifier: derivedToken(key, 'google-verifier', state),
});

const ticketOf = (key: Buffer, id: string): string => derivedToken(key, 'google-ticket', id);

const pageAfter = (origin: string, page: EntryPage, word: GoogleReturn): string =>
  `${origin}/${page}?google=${word}`;

/** A browser on its way sees pages, not answers of an API: whatever went wrong, it is brought back to ours. */
function wordFor(context: Context, error: unknown): GoogleReturn {
  if (error instanceof AppError && error.code === 'too_many_requests') return 'busy';
  if (error instanceof NotVouchedFor)
    context.log.warn({ reason: error.reason }, 'Google vouched for nobody');
  else context.log.error({ err: error }, 'a sign-in with Google failed');
  return 'failed';
}
