import type { SecondStep } from '@lessonbook/contract/second-factor';
import type { Passkey, Security } from '@lessonbook/contract/security';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  authenticatorOf,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodes,
} from '../queries/factors.ts';
import { deletePasskeysSince, type PasskeyRow, passkeysOf } from '../queries/passkeys.ts';
import { directoryEntry, passwordOf } from '../queries/tutors.ts';

/** What this tutor can be asked for after the password; asked inside the tutor's transaction. */
export async function factorsOf(tx: Tx, tutorId: string): Promise<SecondStep> {
  const app = await authenticatorOf(tx, tutorId).executeTakeFirst();
  const keys = await passkeysOf(tx, tutorId).execute();
  return { authenticator: Boolean(app?.confirmedAt), passkey: keys.length > 0 };
}

export async function hasSecondFactor(tx: Tx, tutorId: string): Promise<boolean> {
  const { authenticator, passkey } = await factorsOf(tx, tutorId);
  return authenticator || passkey;
}

/** Codes for the day on which the factors are lost go with the last of them. */
export async function tidyFactors(tx: Tx, tutorId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, tutorId))) await deleteRecoveryCodes(tx, tutorId);
}

export async function dropFactorsSince(tx: Tx, tutorId: string, since: Date): Promise<void> {
  await deleteAuthenticator(tx, tutorId, since);
  await deletePasskeysSince(tx, tutorId, since);
  await tidyFactors(tx, tutorId);
}

export const asPasskey = ({
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

export async function readSecurity(context: Context, tutorId: string): Promise<Security> {
  const { db, config } = context;
  const [[entry], [password], [app], keys, [codes]] = await db.readTutor(tutorId, (tx) => [
    directoryEntry(tx, tutorId),
    passwordOf(tx, tutorId),
    authenticatorOf(tx, tutorId),
    passkeysOf(tx, tutorId),
    countRecoveryCodes(tx, tutorId),
  ]);
  return {
    hasPassword: Boolean(password?.passwordHash),
    isDemo: entry?.isDemo ?? false,
    passkeysOffered: config.passkeyDomain !== null,
    passkeys: keys.map(asPasskey),
    authenticatorOffered: config.sealingKeys.length > 0,
    authenticatorOn: Boolean(app?.confirmedAt),
    recoveryCodesLeft: codes?.left ?? 0,
  };
}
