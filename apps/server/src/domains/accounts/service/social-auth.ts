import type { SocialAuthInput } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sha256, uuidV7 } from '../../../platform/crypto.ts';
import { refusedBy } from '../../../platform/database-errors.ts';
import type { Visitor } from '../../../platform/http.ts';
import {
  keepTicketForLink,
  openTicket,
  spendTicket,
  type Ticket,
} from '../queries/google-tickets.ts';
import { insertIdentity, tutorByGoogle } from '../queries/identities.ts';
import { accountByEmail, lockEntry, setVerifiedEmail, takenUsernames } from '../queries/tutors.ts';
import { isAuthoritative, usernamesFrom, wayToLink } from '../rules/google.ts';
import { linkingExpiry } from '../rules/lifetimes.ts';
import { nameKey } from '../rules/names.ts';
import { comeIn, type Door, type Entrance, welcome } from './come-in.ts';
import { connectGoogle, ticketExpired } from './connect-google.ts';
import { googleByNetwork, signupByNetwork } from './limits.ts';
import { mailNewLink } from './mail-link.ts';
import { openBook } from './sign-up.ts';
import { startLogin } from './start-login.ts';
import { asTaken, emailTaken } from './taken.ts';

interface ComingIn {
  tutorId: string;
  door: Door;
}

/** Something of what was decided on has changed before it could be done: decide again. */
class Overtaken extends Error {}

const DECISIONS = 8;

/**
 * Lets in whomever the ticket stands for. Who that is, by name and by address, is read from what Google vouched for and
 * was kept under the ticket; of what the browser says only the ticket counts, and the clock on its wall.
 */
export async function socialAuth(
  context: Context,
  input: SocialAuthInput,
  browser: string,
  visitor: Visitor,
): Promise<Entrance> {
  const { db, clock, limiter } = context;
  await limiter.take(googleByNetwork, visitor.network);
  const ticket = await openTicket(
    db.global,
    'sign-in',
    sha256(input.credential),
    sha256(browser),
    clock.now(),
  );
  if (!ticket) throw ticketExpired();
  const { tutorId, door } = await decideAndComeIn(context, ticket, input.timeZone, visitor);
  return welcome(context, tutorId, door);
}

async function decideAndComeIn(
  context: Context,
  ticket: Ticket,
  timeZone: string | undefined,
  visitor: Visitor,
): Promise<ComingIn> {
  for (let left = DECISIONS; ; left -= 1) {
    try {
      return (
        (await asKnown(context, ticket, visitor)) ??
        (await asOwnerOfEmail(context, ticket, visitor)) ??
        (await asNewTutor(context, ticket, timeZone, visitor))
      );
    } catch (error) {
      if (left <= 1 || !isOvertaken(error)) throw asTaken(error);
    }
  }
}

/** The database decided for somebody else, who came in or signed up at this very moment. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken ||
  ['identities_pkey', 'login_directory_email_key_key', 'login_directory_username_key_key'].includes(
    refusedBy(error) ?? '',
  );

/** Google's lasting name is known: that is the account, whatever the address is today. */
async function asKnown(
  context: Context,
  ticket: Ticket,
  visitor: Visitor,
): Promise<ComingIn | null> {
  const { db } = context;
  const tutorId = await tutorByGoogle(db.global, ticket.subject);
  if (!tutorId) return null;
  return db.besideTutor(tutorId, async (tx) => {
    await lockEntry(tx, tutorId);
    // Once more, now that nobody can change it: a reset disconnects Google.
    if ((await tutorByGoogle(tx, ticket.subject)) !== tutorId) throw new Overtaken();
    if (!(await spendTicket(tx, ticket.id, 'sign-in'))) throw ticketExpired();
    return { tutorId, door: await comeIn(context, tx, tutorId, visitor, 'google') };
  });
}

/** An account has that address already. It is linked, or asks for its password, or is left alone. */
async function asOwnerOfEmail(
  context: Context,
  ticket: Ticket,
  visitor: Visitor,
): Promise<ComingIn | null> {
  const { db, clock, limiter } = context;
  const person = withEmail(ticket);
  const found = await accountByEmail(db.global, nameKey(person.email));
  if (!found) return null;
  if (wayToLink(person, found) === 'by itself') {
    return db.withTutor(found.tutorId, async (tx) => {
      // Once more under the tutor's lock: a reset or another link may have been quicker.
      const account = await accountByEmail(tx, nameKey(person.email));
      const same = account?.tutorId === found.tutorId;
      if (!same || wayToLink(person, account) !== 'by itself') throw new Overtaken();
      const { tutorId } = account;
      return {
        tutorId,
        door: await connectGoogle(context, tx, { tutorId, ticket, purpose: 'sign-in', visitor }),
      };
    });
  }
  // The account may be this person's own, made a moment ago in another tab.
  if (await tutorByGoogle(db.global, ticket.subject)) throw new Overtaken();
  // From here on the visitor learns that there is such an account, as at a sign-up: no more often than there.
  await limiter.take(signupByNetwork, visitor.network);
  if (wayToLink(person, found) === 'never') throw emailTaken();
  const kept = await keepTicketForLink(db.global, ticket.id, linkingExpiry(clock.now()));
  if (!kept) throw ticketExpired();
  throw new AppError(
    'password_needed',
    'You already have an account with this email. Enter its password to connect Google.',
  );
}

async function asNewTutor(
  context: Context,
  ticket: Ticket,
  timeZone: string | undefined,
  visitor: Visitor,
): Promise<ComingIn> {
  const { db, clock, limiter } = context;
  await limiter.take(signupByNetwork, visitor.network);
  const person = withEmail(ticket);
  const { email, name } = person;
  const now = clock.now();
  const tutorId = uuidV7(now);
  const username = await freeUsername(context, email);
  return db.withNewTutor(tutorId, async (tx) => {
    if (!(await spendTicket(tx, ticket.id, 'sign-in'))) throw ticketExpired();
    await openBook(context, tx, tutorId, { name, email, username, passwordHash: null, timeZone });
    const { subject } = ticket;
    // Whoever opens a book knows how: nobody has to be told.
    await insertIdentity(tx, { id: uuidV7(now), subject, tutorId, now, toldAt: now });
    if (isAuthoritative(person)) await setVerifiedEmail(tx, tutorId, email, nameKey(email), now);
    else await mailNewLink(context, tx, { tutorId, purpose: 'verify-email', email });
    return { tutorId, door: { login: await startLogin(context, tx, tutorId, visitor, 'google') } };
  });
}

const USERNAMES_TRIED = 50;

/** Of two who are given the same one at this moment the second is refused by the database and asks again. */
async function freeUsername(context: Context, email: string): Promise<string> {
  const wishes = usernamesFrom(email, USERNAMES_TRIED);
  const taken = await takenUsernames(context.db.global, wishes);
  const [first = 'tutor'] = wishes;
  // So many of one name are no longer counted.
  const uncounted = `${first}.${uuidV7(context.clock.now()).slice(-6)}`;
  return wishes.find((wish) => !taken.has(wish)) ?? uncounted;
}

function withEmail(ticket: Ticket): Ticket & { email: string } {
  const { email } = ticket;
  if (email) return { ...ticket, email };
  throw new AppError('invalid', 'Google did not share your email, which Lessonbook needs.');
}
