import { formatTime12 } from '@lessonbook/contract/format-time';
import { DEFAULT_TIME_ZONE } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import { renderEmail } from '../../../../platform/mail/email-template.ts';
import { accountEmailFailed } from '../../events.ts';
import { SECURITY_EMAIL_JOB } from '../../job-types.ts';
import { validEmailTokensOf } from '../../queries/email-tokens.ts';
import {
  deleteSecurityEmail,
  insertSecurityEmail,
  listSecurityEmailIds,
  securityEmailById,
} from '../../queries/security-email-outbox.ts';
import { directoryEntry, tutorById } from '../../queries/tutor-accounts.ts';
import { getTimeZone } from '../profile/read-tutor.ts';
import {
  buildSecurityEmail,
  SECURITY_EMAIL_TEXTS,
  type SecurityEmailText,
  type SecurityNotificationKind,
} from './security-email-texts.ts';

/**
 * Enqueues an email about a security change in the caller's transaction. Does nothing for the demo account, or for an
 * unverified address, which may belong to a stranger.
 */
export async function notifyOwner(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: SecurityNotificationKind,
  options: { detail?: string; address?: string } = {},
): Promise<void> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  if (entry.isDemo || !entry.emailVerifiedAt) return;
  const now = context.clock.now();
  const id = uuidV7(now);
  const { address = entry.email, detail = null } = options;
  await insertSecurityEmail(tx, { tutorId, id, kind, address, detail, now });
  await context.queue.enqueue(tx, SECURITY_EMAIL_JOB, { tutorId, emailId: id });
}

/** The current address first, then the one that can still be restored. */
export async function listKnownAddresses(
  { clock }: Context,
  tx: Tx,
  tutorId: string,
): Promise<string[]> {
  const { email } = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  const earlier = await validEmailTokensOf(tx, tutorId, 'revert-email', clock.now());
  return [...new Set([email, ...earlier.map((token) => token.email)])];
}

export async function notifyKnownAddresses(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: SecurityNotificationKind,
): Promise<void> {
  for (const address of await listKnownAddresses(context, tx, tutorId))
    await notifyOwner(context, tx, tutorId, kind, { address });
}

/** Deletes the row after sending. A retry uses the same Message-ID. */
export async function sendSecurityEmail(
  context: Context,
  { tutorId, emailId }: { tutorId: string; emailId: string },
): Promise<void> {
  const { db, mailer, config } = context;
  const [[email], [tutor]] = await db.tutorRead(tutorId, (tx) => [
    securityEmailById(tx, tutorId, emailId),
    tutorById(tx, tutorId),
  ]);
  if (!email) return;
  const text = toText(email, tutor?.timeZone ?? DEFAULT_TIME_ZONE);
  await mailer.send({
    kind: 'security',
    to: { name: '', address: email.address },
    messageId: `security.${emailId}`,
    ...renderEmail(buildSecurityEmail(text, config.origin)),
  });
  await db.tutorTransactionUnlocked(tutorId, (tx) => deleteSecurityEmail(tx, tutorId, emailId));
}

/** Called after the last attempt. A notification replaces the email, so the row is deleted. */
export async function abandonSecurityEmail(
  context: Context,
  { tutorId, emailId }: { tutorId: string; emailId: string },
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const email = await securityEmailById(tx, tutorId, emailId).executeTakeFirst();
    if (!email) return;
    const { subject } = toText(email, await getTimeZone(tx, tutorId));
    await deleteSecurityEmail(tx, tutorId, emailId);
    await context.events.publish(tx, accountEmailFailed, {
      tutorId,
      email: { kind: 'security', about: subject },
      dedupeKey: `email ${emailId}`,
    });
  });
}

export const listPendingSecurityEmails = async (tx: Tx, tutorId: string) =>
  (await listSecurityEmailIds(tx, tutorId)).map((emailId) => ({ tutorId, emailId }));

const toText = (
  email: { kind: string; detail: string | null; createdAt: Date },
  timeZone: string,
): SecurityEmailText =>
  SECURITY_EMAIL_TEXTS[email.kind as SecurityNotificationKind](
    formatLocalTime(email.createdAt, timeZone),
    email.detail ?? '',
  );

const formatLocalTime = (instant: Date, timeZone: string): string => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(instant);
  return `${format({ dateStyle: 'long' })} at ${formatTime12(format({ timeStyle: 'short' }))}`;
};
