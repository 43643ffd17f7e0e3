import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { existingDedupeKeys } from '../../queries/messages.ts';
import {
  addressHashKey,
  findAddressReports,
} from '../../queries/recipient-reports-of-unwanted-email.ts';
import { reportedMessage } from '../../rules/cannot-send-texts.ts';

const DAY = 86_400;

/** When to run again after automatic emails have reached a limit. */
export const getLimitRetryTime = (now: Date): Date => new Date(now.getTime() + 3_600_000);

const NEW_ACCOUNT_DAYS = 7;

/** Emails that a tutor sends manually. Automatic emails count only in the first week. */
const emailByTutor: RateLimit = { name: 'mail-tutor', burst: 500, perSeconds: DAY };
/** Enough to invoice 60 families and cancel a day for all of them. */
const emailByNewTutor: RateLimit = { name: 'mail-new-tutor', burst: 150, perSeconds: DAY };
/** Applies to all tutors combined. Enough for one person who pays for many families. */
const emailByAddress: RateLimit = { name: 'mail-address', burst: 50, perSeconds: DAY };

interface Recipient {
  toName: string;
  channel: string;
  address: string;
}

/**
 * Counts the emails to these people and returns the people who may be emailed. Leaves out recipients who have reported the
 * tutor or had too many emails today. Throws if that leaves no recipients, or if the tutor has sent too many emails. Must be
 * called in the transaction that stores the messages, so that a rejected or repeated request is not counted.
 */
export async function consumeEmailQuota<T extends Recipient>(
  context: Context,
  tx: Tx,
  tutorId: string,
  recipients: readonly T[],
): Promise<readonly T[]> {
  const limits = await findLimits(context, tx, tutorId, recipients);
  if (!limits) return recipients;
  const { isNewAccount, limit, accepted, problem } = limits;
  if (problem && accepted.length === 0) throw new AppError('conflict', problem);
  const allowed = await consumeByAddress(context, tx, accepted);
  const [first] = accepted;
  if (first && allowed.length === 0) throw await createAddressLimitError(context, tx, first);
  const count = allowed.filter(isEmail).length;
  const shortage = await context.limiter.tryConsume(tx, limit, tutorId, count);
  if (shortage) throw createTutorLimitError(limit.burst, isNewAccount, count, shortage);
  return allowed;
}

/** Like `consumeEmailQuota`, but never throws: returns as many people as may still be emailed. */
export async function consumeAvailableQuota<T extends Recipient>(
  context: Context,
  tx: Tx,
  tutorId: string,
  recipients: readonly T[],
): Promise<readonly T[]> {
  const limits = await findLimits(context, tx, tutorId, recipients);
  if (!limits) return recipients;
  const { accepted, limit } = limits;
  const withinLimit = await consumeAvailable(context, tx, tutorId, accepted, limit);
  return consumeByAddress(context, tx, withinLimit);
}

/** The tutor's limit, and the recipients who may be emailed. Null if no emails are counted, as in the demo. */
async function findLimits<T extends Recipient>(
  context: Context,
  tx: Tx,
  tutorId: string,
  recipients: readonly T[],
) {
  if (!recipients.some(isEmail)) return null;
  const { isDemo, isNewAccount } = await readAccount(context, tx, tutorId);
  if (isDemo) return null;
  const problems = await findProblems(tx, tutorId, recipients, isNewAccount);
  const [problem] = problems.values();
  return {
    isNewAccount,
    limit: isNewAccount ? emailByNewTutor : emailByTutor,
    accepted: recipients.filter((recipient) => !problems.has(recipient)),
    problem,
  };
}

/** The reasons why the tutor cannot email some of these people. Recipients without an address are ignored. */
export async function findRecipientProblems<
  T extends Omit<Recipient, 'address'> & { address: string | null },
>(context: Context, tx: Tx, tutorId: string, recipients: readonly T[]): Promise<Map<T, string>> {
  if (!recipients.some(isEmail)) return new Map();
  const { isDemo, isNewAccount } = await readAccount(context, tx, tutorId);
  return isDemo ? new Map() : findProblems(tx, tutorId, recipients, isNewAccount);
}

interface AutomaticMessage extends Recipient {
  dedupeKey: string;
}

/**
 * Returns the automatic messages that may be created now, and counts them. Never throws: emails over a limit are left for a
 * later run, and `isLimited` is then true. Addresses that have reported the tutor get no emails.
 */
export async function consumeAutomaticQuota<T extends AutomaticMessage>(
  context: Context,
  tx: Tx,
  tutorId: string,
  messages: readonly T[],
  options: { countByAddress: boolean },
): Promise<{ allowed: readonly T[]; isLimited: boolean }> {
  const unlimited = { allowed: messages, isLimited: false };
  if (!messages.some(isEmail)) return unlimited;
  const { isDemo, emailVerified, isNewAccount } = await readAccount(context, tx, tutorId);
  // Emails from unverified tutors are left out when messages are created.
  if (isDemo || !emailVerified) return unlimited;
  const problems = await findProblems(tx, tutorId, messages, isNewAccount);
  const accepted = messages.filter((message) => !problems.has(message));
  if (!isNewAccount && !options.countByAddress) return { allowed: accepted, isLimited: false };
  const keys = accepted.map(({ dedupeKey }) => dedupeKey);
  const existing = await existingDedupeKeys(tx, tutorId, keys);
  const created = accepted.filter(({ dedupeKey }) => !existing.has(dedupeKey));
  const withinLimit = isNewAccount
    ? await consumeAvailable(context, tx, tutorId, created, emailByNewTutor)
    : created;
  const allowed = options.countByAddress
    ? await consumeByAddress(context, tx, withinLimit)
    : withinLimit;
  return { allowed, isLimited: allowed.length < created.length };
}

const isEmail = ({ channel }: { channel: string }): boolean => channel === 'email';

async function readAccount(context: Context, tx: Tx, tutorId: string) {
  const { createdAt, isDemo, emailVerified } = await getTutorContact(tx, tutorId);
  const isNewAccount = createdAt > add24HourDays(context.clock.now(), -NEW_ACCOUNT_DAYS);
  return { isDemo, emailVerified, isNewAccount };
}

/** Tutors may not email an address that has reported them. New accounts may not email an address that has reported anyone. */
async function findProblems<T extends { toName: string; channel: string; address: string | null }>(
  tx: Tx,
  tutorId: string,
  recipients: readonly T[],
  isNewAccount: boolean,
): Promise<Map<T, string>> {
  const emails = recipients.filter(isEmail);
  const addresses = emails.flatMap(({ address }) => address ?? []);
  const reports = await findAddressReports(tx, tutorId, addresses);
  return new Map(
    emails.flatMap((recipient) => {
      const report = recipient.address && reports.get(addressHashKey(recipient.address));
      if (report === 'tutor') return [[recipient, reportedMessage(recipient)]];
      return report && isNewAccount ? [[recipient, formatNewAccountMessage(recipient)]] : [];
    }),
  );
}

/** Counts as many emails as the tutor has left, and returns those and all other messages. */
async function consumeAvailable<T extends Recipient>(
  context: Context,
  tx: Tx,
  tutorId: string,
  messages: readonly T[],
  limit: RateLimit,
): Promise<readonly T[]> {
  const emails = messages.filter(isEmail);
  const available = await context.limiter.countAvailable(tx, limit, [tutorId]);
  const withinLimit = new Set(emails.slice(0, available.get(tutorId)));
  if (withinLimit.size > 0) {
    await context.limiter.tryConsume(tx, limit, tutorId, withinLimit.size);
  }
  return messages.filter((message) => !isEmail(message) || withinLimit.has(message));
}

/** Counts the emails to all addresses in two statements. Leaves out addresses that have reached their limit. */
async function consumeByAddress<T extends Recipient>(
  context: Context,
  tx: Tx,
  recipients: readonly T[],
): Promise<readonly T[]> {
  const emails = recipients.filter(isEmail);
  const byAddress = Map.groupBy(emails, ({ address }) => addressHashKey(address));
  const available = await context.limiter.countAvailable(tx, emailByAddress, [...byAddress.keys()]);
  const withinLimit = new Map(
    [...byAddress].map(([key, group]) => [key, group.slice(0, available.get(key))]),
  );
  const counts = [...withinLimit].map(([key, group]) => [key, group.length] as const);
  const counted = await context.limiter.tryConsumeEach(
    tx,
    emailByAddress,
    new Map(counts.filter(([, count]) => count > 0)),
  );
  // Another tutor may have emailed an address between the two statements.
  const allowed = new Set([...counted].flatMap((key) => withinLimit.get(key) ?? []));
  return recipients.filter((recipient) => !isEmail(recipient) || allowed.has(recipient));
}

const formatNewAccountMessage = ({ toName }: { toName: string }): string =>
  `For security, new accounts can't email ${toName} at this address yet. Please check that it's correct, or try again in a few days.`;

function createTutorLimitError(
  limit: number,
  isNewAccount: boolean,
  count: number,
  { available, waitSeconds }: { available: number; waitSeconds: number | null },
): AppError {
  const rule = `You can send ${limit} emails a day${isNewAccount ? ' in your first week' : ''}.`;
  if (waitSeconds === null) {
    return new AppError('conflict', `${rule} Please choose fewer families.`);
  }
  const wait = formatWait(waitSeconds);
  const suggestion =
    count === 1
      ? `Please try again in ${wait}.`
      : `You have ${available} left now. Please choose fewer families, or try again in ${wait}.`;
  const options = { retryAfterSeconds: waitSeconds };
  return new AppError('too_many_requests', `${rule} ${suggestion}`, options);
}

async function createAddressLimitError(
  context: Context,
  tx: Tx,
  { toName, address }: Recipient,
): Promise<AppError> {
  const shortage = await context.limiter.tryConsume(tx, emailByAddress, addressHashKey(address));
  const waitSeconds = shortage?.waitSeconds ?? 1;
  return new AppError(
    'too_many_requests',
    `${toName} has had a lot of emails today. Please try again in ${formatWait(waitSeconds)}.`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** Rounded up: '1 minute', '25 minutes', '3 hours'. */
function formatWait(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
