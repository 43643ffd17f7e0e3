import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { decrypt, encrypt, needsReencryption } from '../../../../platform/crypto/encryption.ts';
import { forEachDueTutor } from '../../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../../platform/queue/tenant-schedule.ts';
import { ROTATE_ENCRYPTION_WORK } from '../../job-types.ts';
import { authenticatorOf, updateAuthenticatorSecret } from '../../queries/mfa-factors.ts';

/** Re-encrypts each TOTP secret with the newest key once a day, so that old keys can be removed. */
export const rotateAuthenticatorEncryption = (context: Context): Promise<void> =>
  forEachDueTutor(context, ROTATE_ENCRYPTION_WORK, (tutorId) => rotateOne(context, tutorId));

async function rotateOne(context: Context, tutorId: string): Promise<void> {
  const { db, clock, config } = context;
  const keys = config.encryptionKeys;
  await db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, ROTATE_ENCRYPTION_WORK);
    const authenticator = await authenticatorOf(tx, tutorId).forUpdate().executeTakeFirst();
    if (authenticator && needsReencryption(keys, authenticator.encryptedSecret)) {
      const secret = decrypt(keys, authenticator.encryptedSecret, tutorId);
      await updateAuthenticatorSecret(tx, tutorId, encrypt(keys, secret, tutorId));
    }
    const nextRun = authenticator ? add24HourDays(clock.now(), 1) : null;
    await completeWork(tx, tutorId, ROTATE_ENCRYPTION_WORK, nextRun);
  });
}
