import type { MfaChallenge } from '@lessonbook/contract/mfa';
import type { Passkey, SecurityOverview } from '@lessonbook/contract/security';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { identitiesOf } from '../../queries/identities.ts';
import {
  authenticatorOf,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodes,
} from '../../queries/mfa-factors.ts';
import { deletePasskeysAddedSince, type PasskeyRow, passkeysOf } from '../../queries/passkeys.ts';
import { directoryEntry, passwordHashOf } from '../../queries/tutors.ts';

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

export async function removeFactorsAddedSince(tx: Tx, tutorId: string, since: Date): Promise<void> {
  await deleteAuthenticator(tx, tutorId, since);
  await deletePasskeysAddedSince(tx, tutorId, since);
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
  const [[entry], [password], [authenticator], passkeys, [codes], identities] = await db.tutorRead(
    tutorId,
    (tx) => [
      directoryEntry(tx, tutorId),
      passwordHashOf(tx, tutorId),
      authenticatorOf(tx, tutorId),
      passkeysOf(tx, tutorId),
      countRecoveryCodes(tx, tutorId),
      identitiesOf(tx, tutorId),
    ],
  );
  return {
    hasPassword: Boolean(password?.passwordHash),
    hasGoogle: identities.length > 0,
    isDemo: entry?.isDemo ?? false,
    passkeysOffered: config.passkeyDomain !== null,
    passkeys: passkeys.map(toPasskey),
    authenticatorOffered: config.encryptionKeys.length > 0,
    authenticatorOn: Boolean(authenticator?.confirmedAt),
    recoveryCodesLeft: codes?.left ?? 0,
  };
}
