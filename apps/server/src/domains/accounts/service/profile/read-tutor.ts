import type { NotificationSettings, User } from '@lessonbook/contract/accounts';
import { dateInZone } from '@lessonbook/contract/time';
import { trialDaysLeft } from '@lessonbook/contract/trial-days-left';
import type { Context } from '../../../../context.ts';
import { loginRequired } from '../../../../platform/app-error.ts';
import type { Database, Tx } from '../../../../platform/db/database.ts';
import { executeBatch } from '../../../../platform/db/execute-statement-batch.ts';
import {
  type DirectoryRow,
  directoryEntry,
  notificationSettingsOf,
  type TutorRow,
  tutorById,
} from '../../queries/tutor-accounts.ts';

/* `get…` functions run in the caller's transaction; `read…` functions open their own read transaction. */

export async function getTimeZone(tx: Tx, tutorId: string): Promise<string> {
  return (await getTutor(tx, tutorId)).timeZone;
}

export async function getTutor(
  tx: Tx,
  tutorId: string,
): Promise<{ name: string; timeZone: string }> {
  return toTutorOrThrow((await tx.executeQuery(tutorById(tx, tutorId))).rows);
}

/** The query behind `getTutor`, for use in a batch; `toTutorOrThrow` converts its rows. */
export const tutorQuery = tutorById;

export function toTutorOrThrow([tutor]: readonly TutorRow[]): { name: string; timeZone: string } {
  if (!tutor) throw loginRequired();
  return { name: tutor.name, timeZone: tutor.timeZone };
}

/** The tutor details that families see, and the fields that decide whether we may send messages on the tutor's behalf. */
export interface TutorContact {
  name: string;
  email: string;
  timeZone: string;
  trialEndsAt: Date;
  emailVerified: boolean;
  isDemo: boolean;
  /** Null unless the tutor has requested deletion. */
  deletionScheduledAt: Date | null;
  createdAt: Date;
  /** Updated at most once an hour. */
  lastActiveAt: Date;
}

export async function getTutorContact(tx: Tx, tutorId: string): Promise<TutorContact> {
  const [[tutor], [entry]] = await executeBatch(tx, tutorContactQueries(tx, tutorId));
  return toTutorContact(tutor, entry);
}

/** The queries whose rows `toTutorContact` needs, so that callers can pipeline them with their own. */
export const tutorContactQueries = (tx: Tx, tutorId: string) =>
  [tutorById(tx, tutorId), directoryEntry(tx, tutorId)] as const;

export function toTutorContact(
  tutor: TutorRow | undefined,
  entry: DirectoryRow | undefined,
): TutorContact {
  if (!tutor || !entry) throw loginRequired();
  const { name, timeZone, trialEndsAt, deletionScheduledAt, createdAt } = tutor;
  const { email, emailVerifiedAt, isDemo, lastActiveAt } = entry;
  const emailVerified = emailVerifiedAt !== null;
  return {
    name,
    email,
    timeZone,
    trialEndsAt,
    emailVerified,
    isDemo,
    deletionScheduledAt,
    createdAt,
    lastActiveAt,
  };
}

export async function getNotificationSettings(
  tx: Tx,
  tutorId: string,
): Promise<NotificationSettings> {
  return notificationSettingsOf(tx, tutorId).executeTakeFirstOrThrow();
}

export async function readIsDemo(db: Database, tutorId: string): Promise<boolean> {
  return (await directoryEntry(db.global, tutorId).executeTakeFirst())?.isDemo ?? false;
}

export async function readTimeZone(context: Context, tutorId: string): Promise<string> {
  const [tutors] = await context.db.tutorRead(tutorId, (tx) => [tutorById(tx, tutorId)]);
  return toTutorOrThrow(tutors).timeZone;
}

export async function readUser(context: Context, tutorId: string): Promise<User> {
  const [tutors, entries] = await context.db.tutorRead(tutorId, (tx) =>
    tutorContactQueries(tx, tutorId),
  );
  return toUserOrThrow(context, tutors, entries);
}

export async function getUser(context: Context, tx: Tx, tutorId: string): Promise<User> {
  const [tutors, entries] = await executeBatch(tx, tutorContactQueries(tx, tutorId));
  return toUserOrThrow(context, tutors, entries);
}

function toUserOrThrow(
  context: Context,
  [tutor]: readonly TutorRow[],
  [entry]: readonly DirectoryRow[],
): User {
  if (!tutor || !entry) throw loginRequired();
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
    deletesAt: tutor.deletionScheduledAt?.toISOString() ?? null,
    accessReviewDue: entry.accessReviewRequestedAt !== null,
    mfaRemovalAt: entry.mfaRemovalDueAt?.toISOString() ?? null,
    today: dateInZone(tutor.timeZone, now),
    revision: tutor.revision,
  };
}
