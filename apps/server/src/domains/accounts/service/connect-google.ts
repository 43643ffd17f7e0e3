import type { LinkGoogleInput } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sha256 } from '../../../platform/crypto.ts';
import { refusedBy } from '../../../platform/database-errors.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Visitor } from '../../../platform/http.ts';
import {
  openTicket,
  spendTicket,
  type Ticket,
  type TicketPurpose,
} from '../queries/google-tickets.ts';
import { accountByEmail, lockEntry, setVerifiedEmail } from '../queries/tutors.ts';
import { isAuthoritative, wayToLink } from '../rules/google.ts';
import { nameKey } from '../rules/names.ts';
import { type Door, type Entrance, startSecondStep, welcome } from './come-in.ts';
import { connectIdentity } from './connect-identity.ts';
import { hasSecondFactor } from './factors.ts';
import { googleByNetwork } from './limits.ts';
import { startLogin } from './start-login.ts';
import { tryPassword } from './try-password.ts';

export const ticketExpired = () =>
  new AppError('link_expired', 'Your sign-in with Google has expired. Please try again.');

function wrongPassword(): AppError {
  const message = 'That is not the password of this account';
  return new AppError('unauthenticated', message, { fields: { password: message } });
}

interface Connection {
  tutorId: string;
  ticket: Ticket;
  purpose: TicketPurpose;
  visitor: Visitor;
}

/** Connects Google and comes in. Where there is a second factor, nothing is connected before it was given. */
export async function connectGoogle(
  context: Context,
  tx: Tx,
  { tutorId, ticket, purpose, visitor }: Connection,
): Promise<Door> {
  await lockEntry(tx, tutorId);
  if (!(await spendTicket(tx, ticket.id, purpose))) throw ticketExpired();
  if (await hasSecondFactor(tx, tutorId))
    return { step: await startSecondStep(context, tx, tutorId, ticket.subject) };
  await connectIdentity(context, tx, tutorId, ticket.subject);
  return { login: await startLogin(context, tx, tutorId, visitor, 'password') };
}

/**
 * The account that has the address is linked by its password. Tries count as tries to log in, in the same bucket, and an
 * account without a password takes as long to be refused as one with another password.
 */
export async function linkByPassword(
  context: Context,
  input: LinkGoogleInput,
  browser: string,
  visitor: Visitor,
): Promise<Entrance> {
  const { db, clock, limiter } = context;
  await limiter.take(googleByNetwork, visitor.network);
  const now = clock.now();
  const hashes = [sha256(input.credential), sha256(browser)] as const;
  const ticket = await openTicket(db.global, 'link', ...hashes, now);
  if (!ticket?.email) throw ticketExpired();
  const { email } = ticket;
  const found = await accountByEmail(db.global, nameKey(email));
  const tried = { account: found, key: nameKey(email), password: input.password, visitor };
  if (!(await tryPassword(context, tried)) || !found) throw wrongPassword();
  const person = { ...ticket, email };
  const { tutorId } = found;
  const door = await db
    .withTutor(tutorId, async (tx) => {
      const account = await accountByEmail(tx, nameKey(email));
      // Once more under the tutor's lock: with a password that was changed this moment nobody links anything.
      const same = account?.tutorId === tutorId && account.passwordHash === found.passwordHash;
      if (!same || wayToLink(person, account) === 'never') throw wrongPassword();
      if (!account.emailVerifiedAt && isAuthoritative(person))
        await setVerifiedEmail(tx, tutorId, email, nameKey(email), now);
      return connectGoogle(context, tx, { tutorId, ticket, purpose: 'link', visitor });
    })
    .catch((error: unknown) => {
      // This Google account came in elsewhere meanwhile and has a book.
      throw refusedBy(error) === 'identities_pkey' ? ticketExpired() : error;
    });
  return welcome(context, tutorId, door);
}
