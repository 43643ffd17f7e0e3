import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, putOnAgenda, settleAgenda } from '../../../platform/agenda.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  forgetCardEvents,
  forgetOldActs,
  forgetOldAnswers,
  forgetOldNames,
} from '../queries/traces.ts';

const FORGET = 'retention-purge';
const AT_ONCE = 100;
const EVERY_DAYS = 7;

/** How long each is kept; docs/security/privacy.md tells people. */
const KEPT_DAYS = {
  /** Two years and a day, so that the database, which counts by its own clock, agrees. */
  acts: 731,
  answers: 7,
  names: 90,
  /** The provider repeats for days, and we believe none that is older than minutes. */
  cardEvents: 30,
};

export async function planToForget(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await putOnAgenda(tx, tutorId, FORGET, addDays(context.clock.now(), EVERY_DAYS));
}

/** Book by book; a book does not change by it, so nobody's screen is refreshed. */
export async function forgetTraces(context: Context): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, FORGET, now, AT_ONCE));
    if (due.length === 0) break;
    for (const tutorId of due) {
      await db.besideTutor(tutorId, async (tx) => {
        await lockAgenda(tx, tutorId, FORGET);
        await forgetOldActs(tx, tutorId, addDays(now, -KEPT_DAYS.acts));
        await forgetOldAnswers(tx, tutorId, addDays(now, -KEPT_DAYS.answers));
        await forgetOldNames(tx, tutorId, addDays(now, -KEPT_DAYS.names));
        await settleAgenda(tx, tutorId, FORGET, addDays(now, EVERY_DAYS));
      });
    }
  }
  await forgetCardEvents(db.global, addDays(now, -KEPT_DAYS.cardEvents));
}
