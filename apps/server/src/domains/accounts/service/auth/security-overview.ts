import type { SecurityOverview } from '@lessonbook/contract/security';
import type { Context } from '../../../../context.ts';
import { calendarFeedAndConnectionDates } from '../../queries/calendar-feed-and-connection-dates.ts';
import { identitiesOf } from '../../queries/identities.ts';
import { authenticatorOf, recoveryCodesOf } from '../../queries/mfa-factors.ts';
import { passkeysOf } from '../../queries/passkeys.ts';
import { directoryEntry, passwordHashOf } from '../../queries/tutor-accounts.ts';
import { toPasskey } from '../mfa/mfa-factors.ts';

export async function readSecurityOverview(
  context: Context,
  tutorId: string,
): Promise<SecurityOverview> {
  const { db, config } = context;
  const [[entry], [password], [authenticator], passkeys, [codes], [google], [calendar]] =
    await db.tutorRead(tutorId, (tx) => [
      directoryEntry(tx, tutorId),
      passwordHashOf(tx, tutorId),
      authenticatorOf(tx, tutorId),
      passkeysOf(tx, tutorId),
      recoveryCodesOf(tx, tutorId),
      identitiesOf(tx, tutorId),
      calendarFeedAndConnectionDates(tx, tutorId),
    ]);
  const toTimestamp = (instant: Date | null | undefined) => instant?.toISOString() ?? null;
  return {
    hasPassword: Boolean(password?.passwordHash),
    isDemo: entry?.isDemo ?? false,
    passkeysOffered: config.passkeyDomain !== null,
    passkeys: passkeys.map(toPasskey),
    authenticatorOffered: config.encryptionKeys.length > 0,
    authenticatorOn: Boolean(authenticator?.confirmedAt),
    authenticatorAddedAt: toTimestamp(authenticator?.confirmedAt),
    recoveryCodesLeft: codes?.left ?? 0,
    recoveryCodesCreatedAt: toTimestamp(codes?.createdAt),
    googleLinkedAt: toTimestamp(google?.createdAt),
    calendarFeedCreatedAt: toTimestamp(calendar?.feedCreatedAt),
    calendarConnectedAt: toTimestamp(calendar?.connectedAt),
  };
}
