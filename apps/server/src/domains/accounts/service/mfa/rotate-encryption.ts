import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { decrypt, encrypt, needsReencryption } from '../../../../platform/crypto/encryption.ts';
import {
  claimDue,
  completeWork,
  lockSchedule,
} from '../../../../platform/queue/tenant-schedule.ts';
import { authenticatorOf, updateAuthenticatorSecret } from '../../queries/mfa-factors.ts';

/** On the agenda while a tutor has an authenticator app. */
export const ROTATE_ENCRYPTION_WORK = 'rotate-totp-encryption';
const BATCH_SIZE = 100;

/** Once a day each app's secret is sealed by the newest key, so that an old key can be taken out. */
export async function rotateAuthenticatorEncryption(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, ROTATE_ENCRYPTION_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due) await rotateOne(context, tutorId);
  }
}

async function rotateOne(context: Context, tutorId: string): Promise<void> {
  const { db, clock, config } = context;
  const keys = config.sealingKeys;
  await db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockSchedule(tx, tutorId, ROTATE_ENCRYPTION_WORK);
    const app = await authenticatorOf(tx, tutorId).forUpdate().executeTakeFirst();
    if (app && needsReencryption(keys, app.sealedSecret)) {
      const secret = decrypt(keys, app.sealedSecret, tutorId);
      await updateAuthenticatorSecret(tx, tutorId, encrypt(keys, secret, tutorId));
    }
    await completeWork(tx, tutorId, ROTATE_ENCRYPTION_WORK, app ? addDays(clock.now(), 1) : null);
  });
}
