import { addDays, DEFAULT_TIME_ZONE, TRIAL_DAYS } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { hashPassword } from '../../../platform/crypto/password-hash.ts';
import { randomToken, uuidV7 } from '../../../platform/crypto/tokens.ts';
import {
  deleteTutor,
  findAccount,
  insertTutor,
  renameAccount,
  setVerifiedEmail,
} from '../queries/tutors.ts';

/** Known to everyone who can see the login page of a server that offers the demo. */
export const DEMO_CREDENTIALS = { username: 'demo', password: 'demo1234' } as const;
const DEMO_EMAIL = 'demo@lessonbook.example';

/** Where tomorrow's demo is filled, out of sight, until it takes the place of today's. */
const STAGED_DEMO = { username: 'demo.next', email: 'next.demo@lessonbook.example' } as const;

async function findDemoByUsername(context: Context, username: string): Promise<string | null> {
  const account = await findAccount(context.db.global, 'username_key', username);
  return account?.isDemo ? account.tutorId : null;
}

export const findDemoTutor = (context: Context): Promise<string | null> =>
  findDemoByUsername(context, DEMO_CREDENTIALS.username);

/** A tutor like any other, for which no mail is ever sent: its password is known to everyone. */
export const createDemoTutor = (context: Context): Promise<string> =>
  createTutor(context, { username: DEMO_CREDENTIALS.username, email: DEMO_EMAIL });

/** A demo that nobody sees yet; what is left of one that was never finished goes first. */
export async function createStagedDemo(context: Context): Promise<string> {
  const unfinished = await findDemoByUsername(context, STAGED_DEMO.username);
  if (unfinished)
    await context.db.tutorTransaction(unfinished, (tx) => deleteTutor(tx, unfinished));
  return createTutor(context, STAGED_DEMO);
}

/** From one moment to the next: the old book goes with all that visitors did, and its logins; the new one is the demo. */
export async function promoteStagedDemo(context: Context, nextId: string): Promise<void> {
  const oldId = await findDemoTutor(context);
  await context.db.tutorTransaction(oldId ?? nextId, async (tx) => {
    if (oldId) await deleteTutor(tx, oldId);
    await renameAccount(tx, nextId, DEMO_CREDENTIALS.username, DEMO_EMAIL);
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
      trialEndsAt: addDays(now, TRIAL_DAYS),
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
