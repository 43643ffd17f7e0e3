import { addDaysToInstant } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { decrypt, encrypt, needsReencryption } from '../../../../platform/crypto/encryption.ts';
import {
  claimDueTutors,
  completeWork,
  lockSchedule,
} from '../../../../platform/queue/tenant-schedule.ts';
import { ROTATE_ENCRYPTION_WORK } from '../../job-types.ts';
import { authenticatorOf, updateAuthenticatorSecret } from '../../queries/mfa-factors.ts';

const BATCH_SIZE = 100;

/** Re-encrypts each TOTP secret with the newest key once a day, so that old keys can be removed. */
export async function rotateAuthenticatorEncryption(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDueTutors(tx, ROTATE_ENCRYPTION_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due) await rotateOne(context, tutorId);
  }
}

async function rotateOne(context: Context, tutorId: string): Promise<void> {
  const { db, clock, config } = context;
  const keys = config.encryptionKeys;
  await db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockSchedule(tx, tutorId, ROTATE_ENCRYPTION_WORK);
    const authenticator = await authenticatorOf(tx, tutorId).forUpdate().executeTakeFirst();
    if (authenticator && needsReencryption(keys, authenticator.encryptedSecret)) {
      const secret = decrypt(keys, authenticator.encryptedSecret, tutorId);
      await updateAuthenticatorSecret(tx, tutorId, encrypt(keys, secret, tutorId));
    }
    const nextRun = authenticator ? addDaysToInstant(clock.now(), 1) : null;
    await completeWork(tx, tutorId, ROTATE_ENCRYPTION_WORK, nextRun);
  });
}
