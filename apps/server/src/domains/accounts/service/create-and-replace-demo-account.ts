import { add24HourDays, DEFAULT_TIME_ZONE } from '@lessonbook/contract/time';
import { TRIAL_DAYS } from '@lessonbook/contract/trial-days-left';
import type { Context } from '../../../context.ts';
import { hashPassword } from '../../../platform/crypto/password-hash.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../platform/db/uuid.ts';
import { deleteTutor } from '../queries/account-deletion.ts';
import {
  findAccount,
  insertTutor,
  setUsernameAndEmail,
  setVerifiedEmail,
} from '../queries/tutor-accounts.ts';

/** Shown on the login page when the demo is enabled. */
export const DEMO_CREDENTIALS = { username: 'demo', password: 'demo1234' } as const;
const DEMO_EMAIL = 'demo@lessonbook.example';

/** The next demo account is seeded under this username before it replaces the current one. */
const STAGED_DEMO = { username: 'demo.next', email: 'next.demo@lessonbook.example' } as const;

async function findDemoByUsername(context: Context, username: string): Promise<string | null> {
  const account = await findAccount(context.db.global, 'username_key', username);
  return account?.isDemo ? account.tutorId : null;
}

export const findDemoTutor = (context: Context): Promise<string | null> =>
  findDemoByUsername(context, DEMO_CREDENTIALS.username);

/** Creates the demo tutor, with a verified address and without sending the sign-up emails. */
export const createDemoTutor = (context: Context): Promise<string> =>
  createTutor(context, { username: DEMO_CREDENTIALS.username, email: DEMO_EMAIL });

/** Creates the staged demo account. Deletes an unfinished one from a failed run first. */
export async function createStagedDemo(context: Context): Promise<string> {
  const unfinishedId = await findDemoByUsername(context, STAGED_DEMO.username);
  if (unfinishedId)
    await context.db.tutorTransaction(unfinishedId, (tx) => deleteTutor(tx, unfinishedId));
  return createTutor(context, STAGED_DEMO);
}

/** Replaces the current demo account, including its logins and visitors' changes, in one transaction. */
export async function promoteStagedDemo(context: Context, stagedId: string): Promise<void> {
  const currentId = await findDemoTutor(context);
  await context.db.tutorTransaction(currentId ?? stagedId, async (tx) => {
    if (currentId) await deleteTutor(tx, currentId);
    await setUsernameAndEmail(tx, stagedId, DEMO_CREDENTIALS.username, DEMO_EMAIL);
  });
}

async function createTutor(
  context: Context,
  { username, email }: { username: string; email: string },
): Promise<string> {
  const { db, clock } = context;
  const now = clock.now();
  const tutorId = uuidV7(now);
  const passwordHash = await hashPassword(DEMO_CREDENTIALS.password);
  await db.newTutorTransaction(tutorId, async (tx) => {
    await insertTutor(tx, {
      tutorId,
      publicId: randomToken(),
      name: 'Ada Fenwick',
      timeZone: DEFAULT_TIME_ZONE,
      trialEndsAt: add24HourDays(now, TRIAL_DAYS),
      username,
      usernameKey: username,
      email,
      emailKey: email,
      passwordHash,
      isDemo: true,
      now,
    });
    await setVerifiedEmail(tx, tutorId, email, email, now);
  });
  return tutorId;
}
