import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { needsResealing, seal, unseal } from '../../../platform/sealing.ts';
import { authenticatorOf, resealAuthenticator } from '../queries/factors.ts';

/** On the agenda while a tutor has an authenticator app. */
export const RESEAL = 'rotate-totp-encryption';
const AT_ONCE = 100;

/** Once a day each app's secret is sealed by the newest key, so that an old key can be taken out. */
export async function resealAuthenticators(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, RESEAL, clock.now(), AT_ONCE));
    if (due.length === 0) return;
    for (const tutorId of due) await resealOne(context, tutorId);
  }
}

async function resealOne(context: Context, tutorId: string): Promise<void> {
  const { db, clock, config } = context;
  const keys = config.sealingKeys;
  await db.besideTutor(tutorId, async (tx) => {
    await lockAgenda(tx, tutorId, RESEAL);
    const app = await authenticatorOf(tx, tutorId).forUpdate().executeTakeFirst();
    if (app && needsResealing(keys, app.sealedSecret)) {
      const secret = unseal(keys, app.sealedSecret, tutorId);
      await resealAuthenticator(tx, tutorId, seal(keys, secret, tutorId));
    }
    await settleAgenda(tx, tutorId, RESEAL, app ? addDays(clock.now(), 1) : null);
  });
}
