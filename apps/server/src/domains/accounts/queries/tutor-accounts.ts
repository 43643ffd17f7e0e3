import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export interface NewTutor {
  tutorId: string;
  publicId: string;
  name: string;
  timeZone: string;
  trialEndsAt: Date;
  username: string;
  usernameKey: string;
  email: string;
  emailKey: string;
  /** Null for an account that uses only Google. */
  passwordHash: string | null;
  isDemo?: boolean;
  now: Date;
}

export async function insertTutor(tx: Tx, tutor: NewTutor): Promise<void> {
  await tx
    .insertInto('tutors')
    .values({
      tutor_id: tutor.tutorId,
      public_id: tutor.publicId,
      name: tutor.name,
      time_zone: tutor.timeZone,
      trial_ends_at: tutor.trialEndsAt,
      created_at: tutor.now,
    })
    .execute();
  await tx
    .insertInto('login_directory')
    .values({
      tutor_id: tutor.tutorId,
      username: tutor.username,
      username_key: tutor.usernameKey,
      email: tutor.email,
      email_key: tutor.emailKey,
      password_hash: tutor.passwordHash,
      is_demo: tutor.isDemo ?? false,
      last_active_at: tutor.now,
    })
    .execute();
}

export const tutorById = compiledQuery((tx, tutorId: string) =>
  tx
    .selectFrom('tutors')
    .where('tutor_id', '=', tutorId)
    .select([
      'public_id as publicId',
      'name',
      'time_zone as timeZone',
      'trial_ends_at as trialEndsAt',
      'deletion_scheduled_at as deletionScheduledAt',
      'created_at as createdAt',
      'revision',
    ]),
);

export const directoryEntry = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('login_directory')
    .where('tutor_id', '=', tutorId)
    .select([
      'username',
      'email',
      'email_verified_at as emailVerifiedAt',
      'pending_email as pendingEmail',
      'is_demo as isDemo',
      'last_active_at as lastActiveAt',
      'access_review_requested_at as accessReviewRequestedAt',
      'mfa_removal_due_at as mfaRemovalDueAt',
    ]);

export const passwordHashOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('login_directory')
    .where('tutor_id', '=', tutorId)
    .select('password_hash as passwordHash');

export type TutorRow = RowOf<ReturnType<typeof tutorById>>;
export type DirectoryRow = RowOf<ReturnType<typeof directoryEntry>>;

/** Locks the entry, so that logins and changes to login settings wait for each other. */
export async function lockDirectoryEntry(tx: Tx, tutorId: string) {
  return tx
    .selectFrom('login_directory')
    .where('tutor_id', '=', tutorId)
    .select([
      'email',
      'email_verified_at as emailVerifiedAt',
      'password_hash as passwordHash',
      'devices_valid_after as devicesValidAfter',
      'first_login_at as firstLoginAt',
      'is_demo as isDemo',
      'mfa_removal_due_at as mfaRemovalDueAt',
    ])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export type LockedDirectoryEntry = Awaited<ReturnType<typeof lockDirectoryEntry>>;

export async function setFirstLoginAt(tx: Tx, tutorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ first_login_at: now })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function invalidateTrustedDevices(tx: Tx, tutorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ devices_valid_after: now })
    .where('tutor_id', '=', tutorId)
    .execute();
}

/** Null once the tutor has reviewed what has access to the account. */
export async function setAccessReviewRequestedAt(
  tx: Tx,
  tutorId: string,
  at: Date | null,
): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ access_review_requested_at: at })
    .where('tutor_id', '=', tutorId)
    .execute();
}

/** Null cancels the removal of two-step login. */
export async function setMfaRemovalDueAt(tx: Tx, tutorId: string, at: Date | null): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ mfa_removal_due_at: at })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function findAccount(tx: Tx, by: 'username_key' | 'email_key', key: string) {
  return tx
    .selectFrom('login_directory')
    .where(by, '=', key)
    .select([
      'tutor_id as tutorId',
      'email',
      'email_verified_at as emailVerifiedAt',
      'password_hash as passwordHash',
      'devices_valid_after as devicesValidAfter',
      'is_demo as isDemo',
    ])
    .executeTakeFirst();
}

/** Returns the columns that `decideLinking` needs. */
export async function findAccountByEmail(tx: Tx, emailKey: string) {
  return tx
    .selectFrom('login_directory')
    .where('email_key', '=', emailKey)
    .select((eb) => [
      'tutor_id as tutorId',
      'email_verified_at as emailVerifiedAt',
      'password_hash as passwordHash',
      'devices_valid_after as devicesValidAfter',
      'is_demo as isDemo',
      eb
        .exists(
          eb
            .selectFrom('identities')
            .whereRef('identities.tutor_id', '=', 'login_directory.tutor_id')
            .select('identities.id'),
        )
        .$castTo<boolean>()
        .as('hasGoogle'),
    ])
    .executeTakeFirst();
}

export async function findTakenUsernames(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('login_directory')
    .where('username_key', '=', (eb) => eb.fn.any(eb.val([...keys])))
    .select('username_key as key')
    .execute();
  return new Set(rows.map((row) => row.key));
}

export async function isEmailTaken(
  tx: Tx,
  emailKey: string,
  exceptTutorId: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('login_directory')
    .where('email_key', '=', emailKey)
    .where('tutor_id', '<>', exceptTutorId)
    .select('tutor_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateTutor(
  tx: Tx,
  tutorId: string,
  changes: { name: string; timeZone?: string | undefined },
): Promise<void> {
  await tx
    .updateTable('tutors')
    .set({ name: changes.name, ...(changes.timeZone ? { time_zone: changes.timeZone } : {}) })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function setPendingEmail(
  tx: Tx,
  tutorId: string,
  email: string | null,
): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ pending_email: email })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function setVerifiedEmail(
  tx: Tx,
  tutorId: string,
  email: string,
  emailKey: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ email, email_key: emailKey, email_verified_at: now, pending_email: null })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function setPasswordHash(
  tx: Tx,
  tutorId: string,
  passwordHash: string | null,
): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ password_hash: passwordHash })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function setUsernameAndEmail(
  tx: Tx,
  tutorId: string,
  username: string,
  email: string,
): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ username, username_key: username, email, email_key: email })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export const notificationSettingsOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('tutors')
    .where('tutor_id', '=', tutorId)
    .select([
      'email_notifications as emailNotifications',
      'lesson_reminders as lessonReminders',
      'payment_notifications as paymentNotifications',
    ]);

export async function saveNotificationSettings(
  tx: Tx,
  tutorId: string,
  settings: {
    emailNotifications: boolean;
    lessonReminders: boolean;
    paymentNotifications: boolean;
  },
): Promise<void> {
  await tx
    .updateTable('tutors')
    .set({
      email_notifications: settings.emailNotifications,
      lesson_reminders: settings.lessonReminders,
      payment_notifications: settings.paymentNotifications,
    })
    .where('tutor_id', '=', tutorId)
    .execute();
}
