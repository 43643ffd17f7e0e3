import type { NotificationSettings, ProfileInput, User } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { AppError, loginRequired } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { notificationSettingsChanged, timeZoneChanged } from '../../events.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import {
  directoryEntry,
  isEmailTaken,
  notificationSettingsOf,
  saveNotificationSettings,
  setPendingEmail,
  updateTutor,
} from '../../queries/tutor-accounts.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import { emailTakenError, rejectReservedEmail } from '../auth/uniqueness-errors.ts';
import { issueEmailToken } from '../email/email-tokens.ts';
import { verificationEmailByTutor } from '../rate-limits.ts';
import { getTutor, readUser } from './read-tutor.ts';

/** The name and time zone change immediately; a new email address takes effect once it has been verified. */
export async function updateProfile(
  context: Context,
  tutorId: string,
  input: ProfileInput,
): Promise<User> {
  const { db, limiter } = context;
  const changesEmail = (entry: { email: string }) =>
    normalizeLogin(input.email) !== normalizeLogin(entry.email);
  // The limiter uses a database connection of its own, so it cannot be called while the tutor's lock is held.
  const isLimitConsumed = changesEmail(await readUser(context, tutorId));
  if (isLimitConsumed) await limiter.consume(verificationEmailByTutor, tutorId);
  await db.tutorTransaction(tutorId, async (tx) => {
    const { timeZone } = await getTutor(tx, tutorId);
    const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
    const isEmailChanging = changesEmail(entry);
    if (isEmailChanging) {
      if (!isLimitConsumed) throw emailJustChangedError();
      rejectDemoEmailChange(entry);
    }
    await updateTutor(tx, tutorId, { name: input.name, timeZone: input.timeZone });
    if (input.timeZone && input.timeZone !== timeZone) {
      await context.events.publish(tx, timeZoneChanged, {
        tutorId,
        timeZone: input.timeZone,
        previousTimeZone: timeZone,
      });
    }
    if (!isEmailChanging) {
      if (entry.pendingEmail) await cancelEmailChange(context, tx, tutorId);
      return;
    }
    if (await isEmailTaken(tx, normalizeLogin(input.email), tutorId)) throw emailTakenError();
    await rejectReservedEmail(context, tx, input.email, tutorId);
    await setPendingEmail(tx, tutorId, input.email);
    await issueEmailToken(context, tx, { tutorId, purpose: 'verify-email', email: input.email });
  });
  return readUser(context, tutorId);
}

/** A link to a new address was followed between the first read and the lock. */
const emailJustChangedError = (): AppError =>
  new AppError('conflict', 'Your email has just changed. Please check it again.');

function rejectDemoEmailChange({ isDemo }: { isDemo: boolean }): void {
  if (!isDemo) return;
  const message = "The email of the demo account can't be changed";
  throw new AppError('forbidden', message, { fields: { email: message } });
}

/** The tutor has entered the old address again, so the link sent to the new one must stop working. */
async function cancelEmailChange(context: Context, tx: Tx, tutorId: string): Promise<void> {
  await setPendingEmail(tx, tutorId, null);
  await revokeEmailTokens(tx, tutorId, 'verify-email', context.clock.now());
}

export async function readNotificationSettings(
  context: Context,
  tutorId: string,
): Promise<NotificationSettings> {
  const [[settings]] = await context.db.tutorRead(tutorId, (tx) => [
    notificationSettingsOf(tx, tutorId),
  ]);
  if (!settings) throw loginRequired();
  return settings;
}

export async function updateNotificationSettings(
  context: Context,
  tutorId: string,
  settings: NotificationSettings,
): Promise<NotificationSettings> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await saveNotificationSettings(tx, tutorId, settings);
    await context.events.publish(tx, notificationSettingsChanged, { tutorId });
  });
  return settings;
}
