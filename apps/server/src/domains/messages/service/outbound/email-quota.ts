import { addDaysToInstant } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { hashAddress, isAnyAddressReported } from '../../queries/address-reports.ts';
import { findReportedAddresses } from '../../queries/suppressions.ts';

const DAY = 86_400;
const NEW_ACCOUNT_DAYS = 7;

/** Emails that a tutor sends by hand. Automatic reminders do not count. */
const emailByTutor: RateLimit = { name: 'mail-tutor', burst: 300, perSeconds: DAY };
const emailByNewTutor: RateLimit = { name: 'mail-new-tutor', burst: 50, perSeconds: DAY };
/** From all tutors together. */
const emailByAddress: RateLimit = { name: 'mail-address', burst: 20, perSeconds: DAY };

interface Recipient {
  toName: string;
  channel: string;
  address: string;
}

/**
 * Throws if the tutor may not email these people now, and counts the emails otherwise. It is called before a message is
 * stored, in the same transaction, so that a refused or repeated request counts nothing.
 */
export async function consumeEmailQuota(
  context: Context,
  tx: Tx,
  tutorId: string,
  recipients: readonly Recipient[],
): Promise<void> {
  const emails = recipients.filter(({ channel }) => channel === 'email');
  if (emails.length === 0) return;
  const { createdAt, isDemo } = await getTutorContact(tx, tutorId);
  // The demo sends no emails.
  if (isDemo) return;
  const isNewAccount = createdAt > addDaysToInstant(context.clock.now(), -NEW_ACCOUNT_DAYS);
  await assertNotReported(tx, tutorId, emails, isNewAccount);
  const tutorLimit = isNewAccount ? emailByNewTutor : emailByTutor;
  for (const _email of emails) {
    const wait = await context.limiter.tryConsume(tx, tutorLimit, tutorId);
    if (wait !== null) throw tutorLimitError(tutorLimit.burst, isNewAccount, wait);
  }
  // In one order, so that two tutors who email the same people do not wait for each other.
  const hashes = emails.map(
    ({ address, toName }) => [hashAddress(address).toString('base64url'), toName] as const,
  );
  for (const [hash, toName] of hashes.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const wait = await context.limiter.tryConsume(tx, emailByAddress, hash);
    if (wait !== null) throw addressLimitError(toName, wait);
  }
}

/** A tutor may not email an address again that reported them; a new account may not email one that reported anyone. */
async function assertNotReported(
  tx: Tx,
  tutorId: string,
  emails: readonly Recipient[],
  isNewAccount: boolean,
): Promise<void> {
  const addresses = emails.map(({ address }) => address);
  const reported = await findReportedAddresses(tx, tutorId, addresses);
  const recipient = emails.find(({ address }) => reported.has(address.trim().toLowerCase()));
  if (recipient) throw new AppError('conflict', reportedMessage(recipient.toName));
  if (isNewAccount && (await isAnyAddressReported(tx, addresses))) {
    throw new AppError(
      'conflict',
      "Your account is too new to email this address. Check that it's correct, or try again in a few days.",
    );
  }
}

const reportedMessage = (toName: string): string =>
  `Someone at ${toName}'s email address told us these emails aren't meant for them. Check the address and correct it.`;

function tutorLimitError(limit: number, isNewAccount: boolean, wait: number): AppError {
  const scope = isNewAccount ? ' while your account is new' : '';
  return new AppError(
    'too_many_requests',
    `You can send ${limit} emails a day${scope}. Nothing was sent. Try again in ${formatWait(wait)}.`,
    { retryAfterSeconds: wait },
  );
}

const addressLimitError = (toName: string, wait: number): AppError =>
  new AppError(
    'too_many_requests',
    `${toName} has had a lot of emails today. Nothing was sent. Try again in ${formatWait(wait)}.`,
    { retryAfterSeconds: wait },
  );

/** Rounded up: '1 minute', '25 minutes', '3 hours'. */
function formatWait(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
