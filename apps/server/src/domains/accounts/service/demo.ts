import { addDays, DEFAULT_TIME_ZONE, TRIAL_DAYS } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { randomToken, uuidV7 } from '../../../platform/crypto.ts';
import { hashPassword } from '../../../platform/password.ts';
import {
  deleteTutor,
  findAccount,
  insertTutor,
  renameAccount,
  setVerifiedEmail,
} from '../queries/tutors.ts';

/** Known to everyone who can see the login page of a server that offers the demo. */
export const DEMO = { username: 'demo', password: 'demo1234' } as const;
const EMAIL = 'demo@lessonbook.example';

/** Where tomorrow's demo is filled, out of sight, until it takes the place of today's. */
const NEXT = { username: 'demo.next', email: 'next.demo@lessonbook.example' } as const;

async function demoNamed(context: Context, username: string): Promise<string | null> {
  const account = await findAccount(context.db.global, 'username_key', username);
  return account?.isDemo ? account.tutorId : null;
}

export const findDemoTutor = (context: Context): Promise<string | null> =>
  demoNamed(context, DEMO.username);

/** A tutor like any other, for which no mail is ever sent: its password is known to everyone. */
export const makeDemoTutor = (context: Context): Promise<string> =>
  makeTutor(context, { username: DEMO.username, email: EMAIL });

/** A demo that nobody sees yet; what is left of one that was never finished goes first. */
export async function beginNextDemo(context: Context): Promise<string> {
  const unfinished = await demoNamed(context, NEXT.username);
  if (unfinished) await context.db.withTutor(unfinished, (tx) => deleteTutor(tx, unfinished));
  return makeTutor(context, NEXT);
}

/** From one moment to the next: the old book goes with all that visitors did, and its logins; the new one is the demo. */
export async function putNextDemoInPlace(context: Context, nextId: string): Promise<void> {
  const oldId = await findDemoTutor(context);
  await context.db.withTutor(oldId ?? nextId, async (tx) => {
    if (oldId) await deleteTutor(tx, oldId);
    await renameAccount(tx, nextId, DEMO.username, EMAIL);
  });
}

async function makeTutor(
  context: Context,
  { username, email }: { username: string; email: string },
): Promise<string> {
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
