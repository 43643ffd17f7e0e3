import type { NotificationSettings, ProfileInput, User } from '@lessonbook/contract/accounts';
import { dateInZone, trialDaysLeft } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/http-server.ts';
import { notificationSettingsChanged, timeZoneChanged } from '../../events.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import {
  type DirectoryRow,
  directoryEntry,
  isEmailTaken,
  notificationSettingsOf,
  saveNotificationSettings,
  setPendingEmail,
  type TutorRow,
  tutorById,
  updateTutor,
} from '../../queries/tutors.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import { requireRecentAuth } from '../auth/require-recent-auth.ts';
import { emailTaken } from '../auth/uniqueness-errors.ts';
import { issueEmailToken } from '../email/email-tokens.ts';
import { verificationEmailByTutor } from '../rate-limits.ts';

/** By whose wall a lesson is meant; asked inside the tutor's transaction. */
export async function getTimeZone(tx: Tx, tutorId: string): Promise<string> {
  return (await getTutor(tx, tutorId)).timeZone;
}

/** How the tutor is called, and by whose wall; asked inside the tutor's transaction. */
export async function getTutor(
  tx: Tx,
  tutorId: string,
): Promise<{ name: string; timeZone: string }> {
  const tutor = (await tx.executeQuery(tutorById(tx, tutorId))).rows[0];
  if (!tutor) throw new Error('No such tutor');
  return { name: tutor.name, timeZone: tutor.timeZone };
}

/** How families reach the tutor, and whether we may write in the tutor's name. */
export interface TutorContact {
  name: string;
  email: string;
  timeZone: string;
  trialEndsAt: Date;
  emailVerified: boolean;
  isDemo: boolean;
  /** When the account goes for good; none while the tutor stays. */
  deletionScheduledAt: Date | null;
}

export async function getTutorContact(tx: Tx, tutorId: string): Promise<TutorContact> {
  const tutor = (await tx.executeQuery(tutorById(tx, tutorId))).rows[0];
  const entry = await directoryEntry(tx, tutorId).executeTakeFirst();
  return toTutorContact(tutor, entry);
}

/** The reads behind a contact, for whoever sends them along with reads of their own. */
export const tutorContactQueries = (tx: Tx, tutorId: string) =>
  [tutorById(tx, tutorId), directoryEntry(tx, tutorId)] as const;

export function toTutorContact(
  tutor: TutorRow | undefined,
  entry: DirectoryRow | undefined,
): TutorContact {
  if (!tutor || !entry) throw new Error('No such tutor');
  const { name, timeZone, trialEndsAt, leavingAt } = tutor;
  const { email, emailVerifiedAt, isDemo } = entry;
  const emailVerified = emailVerifiedAt !== null;
  return {
    name,
    email,
    timeZone,
    trialEndsAt,
    emailVerified,
    isDemo,
    deletionScheduledAt: leavingAt,
  };
}

/** The three switches of the settings; asked inside the tutor's transaction. */
export async function getNotificationSettings(
  tx: Tx,
  tutorId: string,
): Promise<NotificationSettings> {
  return notificationSettingsOf(tx, tutorId).executeTakeFirstOrThrow();
}

export async function readTutor(
  context: Context,
  tutorId: string,
): Promise<{ name: string; timeZone: string }> {
  const [[tutor]] = await context.db.tutorRead(tutorId, (tx) => [tutorById(tx, tutorId)]);
  if (!tutor) throw new AppError('unauthenticated', 'Please log in to continue.');
  return { name: tutor.name, timeZone: tutor.timeZone };
}

export async function readTimeZone(context: Context, tutorId: string): Promise<string> {
  return (await readTutor(context, tutorId)).timeZone;
}

export async function readUser(context: Context, tutorId: string): Promise<User> {
  const [[tutor], [entry]] = await context.db.tutorRead(tutorId, (tx) => [
    tutorById(tx, tutorId),
    directoryEntry(tx, tutorId),
  ]);
  if (!tutor || !entry) throw new AppError('unauthenticated', 'Please log in to continue.');
  return toUser(tutor, entry, context.clock.now());
}

function toUser(tutor: TutorRow, entry: DirectoryRow, now: Date): User {
  return {
    id: tutor.publicId,
    name: tutor.name,
    email: entry.email,
    username: entry.username,
    emailVerified: entry.emailVerifiedAt !== null,
    pendingEmail: entry.pendingEmail,
    timeZone: tutor.timeZone,
    trialEndsAt: tutor.trialEndsAt.toISOString(),
    trialDaysLeft: trialDaysLeft(tutor.trialEndsAt, now),
    deletesAt: tutor.leavingAt?.toISOString() ?? null,
    today: dateInZone(tutor.timeZone, now),
    revision: tutor.revision,
  };
}

/** Name and zone change at once; a changed address only once its own link was followed. */
export async function updateProfile(
  context: Context,
  login: Login,
  input: ProfileInput,
): Promise<User> {
  const { db, limiter } = context;
  const { tutorId } = login;
  const current = await readUser(context, tutorId);
  const emailChanges = normalizeLogin(input.email) !== normalizeLogin(current.email);
  if (emailChanges) await limiter.consume(verificationEmailByTutor, tutorId);
  await db.tutorTransaction(tutorId, async (tx) => {
    if (emailChanges) {
      await rejectDemoEmailChange(tx, tutorId);
      await requireRecentAuth(context, tx, login);
    }
    await updateTutor(tx, tutorId, { name: input.name, timeZone: input.timeZone });
    if (input.timeZone && input.timeZone !== current.timeZone) {
      await context.events.publish(tx, timeZoneChanged, { tutorId, timeZone: input.timeZone });
    }
    if (!emailChanges) {
      if (current.pendingEmail) await cancelEmailChange(context, tx, tutorId);
      return;
    }
    if (await isEmailTaken(tx, normalizeLogin(input.email), tutorId)) throw emailTaken();
    await setPendingEmail(tx, tutorId, input.email);
    await issueEmailToken(context, tx, { tutorId, purpose: 'verify-email', email: input.email });
  });
  return readUser(context, tutorId);
}

async function rejectDemoEmailChange(tx: Tx, tutorId: string): Promise<void> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  if (!entry.isDemo) return;
  const message = 'The email of the demo account cannot be changed';
  throw new AppError('forbidden', message, { fields: { email: message } });
}

/** The tutor typed the old address again: the link to the new one must not work any more. */
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
  if (!settings) throw new AppError('unauthenticated', 'Please log in to continue.');
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
