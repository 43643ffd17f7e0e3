import type { LinkGoogleInput } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { sha256, uuidV7 } from '../../../../platform/crypto/tokens.ts';
import { violatedConstraint } from '../../../../platform/db/constraint-errors.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import { GOOGLE_LINKED_EMAIL_JOB } from '../../jobs.ts';
import { insertIdentity } from '../../queries/identities.ts';
import { deleteAllLogins } from '../../queries/logins.ts';
import {
  consumeTicket,
  findValidTicket,
  type OAuthTicket,
  type TicketPurpose,
} from '../../queries/oauth-tickets.ts';
import { findAccountByEmail, lockDirectoryEntry, setVerifiedEmail } from '../../queries/tutors.ts';
import { decideLinking, isAuthoritative } from '../../rules/account-linking.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import {
  createMfaChallenge,
  type LoginOutcome,
  type LoginResult,
  toLoginResult,
} from '../auth/authenticate.ts';
import { createLogin } from '../auth/create-login.ts';
import { verifyLoginPassword } from '../auth/verify-password.ts';
import { hasMfa } from '../mfa/mfa-factors.ts';
import { googleByNetwork } from '../rate-limits.ts';

/** From now on Google opens this book: its owner is told, and whoever else was inside is outside. */
export async function linkIdentity(
  context: Context,
  tx: Tx,
  tutorId: string,
  subject: string,
): Promise<void> {
  const now = context.clock.now();
  const identityId = uuidV7(now);
  await insertIdentity(tx, { id: identityId, subject, tutorId, now, toldAt: null });
  await deleteAllLogins(tx, tutorId);
  await recordAudit(tx, tutorId, { act: 'google_linked', at: now });
  await context.queue.enqueue(tx, GOOGLE_LINKED_EMAIL_JOB, { identityId });
}

export const ticketExpired = () =>
  new AppError('link_expired', 'Your sign-in with Google has expired. Please try again.');

function wrongPassword(): AppError {
  const message = 'That is not the password of this account';
  return new AppError('unauthenticated', message, { fields: { password: message } });
}

interface LinkRequest {
  tutorId: string;
  ticket: OAuthTicket;
  purpose: TicketPurpose;
  visitor: RequestContext;
}

/** Connects Google and comes in. Where there is a second factor, nothing is connected before it was given. */
export async function linkGoogleAndLogIn(
  context: Context,
  tx: Tx,
  { tutorId, ticket, purpose, visitor: requestContext }: LinkRequest,
): Promise<LoginOutcome> {
  await lockDirectoryEntry(tx, tutorId);
  if (!(await consumeTicket(tx, ticket.id, purpose))) throw ticketExpired();
  if (await hasMfa(tx, tutorId))
    return { step: await createMfaChallenge(context, tx, tutorId, ticket.subject) };
  await linkIdentity(context, tx, tutorId, ticket.subject);
  return { login: await createLogin(context, tx, tutorId, requestContext, 'password') };
}

/**
 * The account that has the address is linked by its password. Tries count as tries to log in, in the same bucket, and an
 * account without a password takes as long to be refused as one with another password.
 */
export async function linkGoogleWithPassword(
  context: Context,
  input: LinkGoogleInput,
  browser: string,
  requestContext: RequestContext,
): Promise<LoginResult> {
  const { db, clock, limiter } = context;
  await limiter.consume(googleByNetwork, requestContext.network);
  const now = clock.now();
  const hashes = [sha256(input.credential), sha256(browser)] as const;
  const ticket = await findValidTicket(db.global, 'link', ...hashes, now);
  if (!ticket?.email) throw ticketExpired();
  const { email } = ticket;
  const found = await findAccountByEmail(db.global, normalizeLogin(email));
  const attempt = {
    account: found,
    key: normalizeLogin(email),
    password: input.password,
    visitor: requestContext,
  };
  if (!(await verifyLoginPassword(context, attempt)) || !found) throw wrongPassword();
  const person = { ...ticket, email };
  const { tutorId } = found;
  const outcome = await db
    .tutorTransaction(tutorId, async (tx) => {
      const account = await findAccountByEmail(tx, normalizeLogin(email));
      // Once more under the tutor's lock: with a password that was changed this moment nobody links anything.
      const same = account?.tutorId === tutorId && account.passwordHash === found.passwordHash;
      if (!same || decideLinking(person, account) === 'never') throw wrongPassword();
      if (!account.emailVerifiedAt && isAuthoritative(person))
        await setVerifiedEmail(tx, tutorId, email, normalizeLogin(email), now);
      return linkGoogleAndLogIn(context, tx, {
        tutorId,
        ticket,
        purpose: 'link',
        visitor: requestContext,
      });
    })
    .catch((error: unknown) => {
      // This Google account came in elsewhere meanwhile and has a book.
      throw violatedConstraint(error) === 'identities_pkey' ? ticketExpired() : error;
    });
  return toLoginResult(context, tutorId, outcome);
}
