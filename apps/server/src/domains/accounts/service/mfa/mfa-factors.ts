import type { MfaChallenge } from '@lessonbook/contract/mfa';
import type { Passkey, SecurityOverview } from '@lessonbook/contract/security';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { calendarAccessOf } from '../../queries/calendar-feed-and-connection-dates.ts';
import { identitiesOf } from '../../queries/identities.ts';
import {
  authenticatorOf,
  deleteAuthenticator,
  deleteRecoveryCodes,
  recoveryCodesOf,
} from '../../queries/mfa-factors.ts';
import { deletePasskeysAddedSince, type PasskeyRow, passkeysOf } from '../../queries/passkeys.ts';
import { directoryEntry, passwordHashOf } from '../../queries/tutor-accounts.ts';

export async function getMfaFactors(tx: Tx, tutorId: string): Promise<MfaChallenge> {
  const authenticator = await authenticatorOf(tx, tutorId).executeTakeFirst();
  const passkeys = await passkeysOf(tx, tutorId).execute();
  return { authenticator: Boolean(authenticator?.confirmedAt), passkey: passkeys.length > 0 };
}

export async function hasMfa(tx: Tx, tutorId: string): Promise<boolean> {
  const { authenticator, passkey } = await getMfaFactors(tx, tutorId);
  return authenticator || passkey;
}

/** Deletes the recovery codes if no factor is left. */
export async function removeOrphanedRecoveryCodes(tx: Tx, tutorId: string): Promise<void> {
  if (!(await hasMfa(tx, tutorId))) await deleteRecoveryCodes(tx, tutorId);
}

/** Also deletes recovery codes created since then, which may have replaced the owner's. */
export async function removeFactorsAddedSince(tx: Tx, tutorId: string, since: Date): Promise<void> {
  await deleteAuthenticator(tx, tutorId, since);
  await deletePasskeysAddedSince(tx, tutorId, since);
  await deleteRecoveryCodes(tx, tutorId, since);
  await removeOrphanedRecoveryCodes(tx, tutorId);
}

export const toPasskey = ({
  publicId,
  name,
  createdAt,
  lastUsedAt,
}: Pick<PasskeyRow, 'publicId' | 'name' | 'createdAt' | 'lastUsedAt'>): Passkey => ({
  id: publicId,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

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
      calendarAccessOf(tx, tutorId),
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
