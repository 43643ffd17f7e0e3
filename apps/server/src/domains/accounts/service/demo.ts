import { addDays, DEFAULT_TIME_ZONE, TRIAL_DAYS } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { randomToken, uuidV7 } from '../../../platform/crypto.ts';
import { hashPassword } from '../../../platform/password.ts';
import { findAccount, insertTutor, setVerifiedEmail } from '../queries/tutors.ts';

/** Known to everyone who can see the login page of a server that offers the demo. */
export const DEMO = { username: 'demo', password: 'demo1234' } as const;
const EMAIL = 'demo@lessonbook.example';

export async function findDemoTutor(context: Context): Promise<string | null> {
  const account = await findAccount(context.db.global, 'username_key', DEMO.username);
  return account?.tutorId ?? null;
}

/** A tutor like any other, for which no mail is ever sent: its password is known to everyone. */
export async function makeDemoTutor(context: Context): Promise<string> {
  const { db, clock } = context;
  const now = clock.now();
  const tutorId = uuidV7(now);
  const passwordHash = await hashPassword(DEMO.password);
  await db.withNewTutor(tutorId, async (tx) => {
    await insertTutor(tx, {
      tutorId,
      publicId: randomToken(),
      name: 'Ada Fenwick',
      timeZone: DEFAULT_TIME_ZONE,
      trialEndsAt: addDays(now, TRIAL_DAYS),
      username: DEMO.username,
      usernameKey: DEMO.username,
      email: EMAIL,
      emailKey: EMAIL,
      passwordHash,
      isDemo: true,
      now,
    });
    await setVerifiedEmail(tx, tutorId, EMAIL, EMAIL, now);
  });
  return tutorId;
}
