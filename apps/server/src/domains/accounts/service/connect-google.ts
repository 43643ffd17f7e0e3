import type { User } from '@lessonbook/contract/accounts';
import type { LinkGoogleInput } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sha256, uuidV7 } from '../../../platform/crypto.ts';
import { refusedBy } from '../../../platform/database-errors.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Visitor } from '../../../platform/http.ts';
import { checkPassword } from '../../../platform/password.ts';
import { googleLinkedMail } from '../jobs.ts';
import {
  openTicket,
  spendTicket,
  type Ticket,
  type TicketPurpose,
} from '../queries/google-tickets.ts';
import { insertIdentity } from '../queries/identities.ts';
import { deleteLoginsOf } from '../queries/logins.ts';
import { accountByEmail, setVerifiedEmail } from '../queries/tutors.ts';
import { isAuthoritative, wayToLink } from '../rules/google.ts';
import { nameKey } from '../rules/names.ts';
import { googleByNetwork, loginByAccount } from './limits.ts';
import { type NewLoginToken, startLogin } from './log-in.ts';
import { readUser } from './profile.ts';

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

/** From now on Google opens this book: its owner is told, and whoever else was inside is outside. */
export async function connectGoogle(
  context: Context,
  tx: Tx,
  { tutorId, ticket, purpose, visitor }: Connection,
): Promise<NewLoginToken> {
  const now = context.clock.now();
  if (!(await spendTicket(tx, ticket.id, purpose))) throw ticketExpired();
  const identityId = uuidV7(now);
  const { subject } = ticket;
  await insertIdentity(tx, { id: identityId, subject, tutorId, now, toldAt: null });
  await deleteLoginsOf(tx, tutorId);
  await context.queue.enqueue(tx, googleLinkedMail, { identityId });
  return startLogin(context, tx, tutorId, visitor);
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
): Promise<{ user: User; login: NewLoginToken }> {
  const { db, clock, limiter } = context;
  await limiter.take(googleByNetwork, visitor.network);
  const now = clock.now();
  const hashes = [sha256(input.credential), sha256(browser)] as const;
  const ticket = await openTicket(db.global, 'link', ...hashes, now);
  if (!ticket?.email) throw ticketExpired();
  const { email } = ticket;
  const found = await accountByEmail(db.global, nameKey(email));
  const bucket = found?.tutorId ?? sha256(nameKey(email)).toString('base64url');
  await limiter.take(loginByAccount, bucket);
  const right = await checkPassword(found?.passwordHash, input.password);
  if (!found || !right) throw wrongPassword();
  await limiter.forgive(loginByAccount, bucket);
  const person = { ...ticket, email };
  const { tutorId } = found;
  const login = await db
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
  return { user: await readUser(context, tutorId), login };
}
