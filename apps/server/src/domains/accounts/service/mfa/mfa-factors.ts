import type { MfaChallenge } from '@lessonbook/contract/mfa';
import type { Passkey } from '@lessonbook/contract/security';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  authenticatorOf,
  deleteAuthenticator,
  deleteRecoveryCodes,
} from '../../queries/mfa-factors.ts';
import { deletePasskeysAddedSince, type PasskeyRow, passkeysOf } from '../../queries/passkeys.ts';

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
