import type { Context } from '../../../context.ts';
import { takeIds } from '../../../platform/counters.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  type Chargeable,
  chargeableSessions,
  findChargeOfSession,
  insertCharge,
  insertReversal,
} from '../queries/charges.ts';
import { familyOf, insertFamily } from '../queries/families.ts';

/** Who wrote an entry: the tutor, by ticking off, cancelling or reopening. */
const TUTOR = 'tutor';

/** A taught lesson is owed from its day on; a free one makes no charge. */
export async function chargeCompleted(
  context: Context,
  tx: Tx,
  { tutorId, sessionIds }: { tutorId: string; sessionIds: number[] },
): Promise<void> {
  for (const session of await chargeableSessions(tx, tutorId, sessionIds)) {
    if (session.fee !== null) await charge(context, tx, tutorId, session, 'lesson', session.fee);
  }
}

export async function chargeCancellation(
  context: Context,
  tx: Tx,
  { tutorId, sessionId, fee }: { tutorId: string; sessionId: number; fee: number },
): Promise<void> {
  for (const session of await chargeableSessions(tx, tutorId, [sessionId])) {
    await charge(context, tx, tutorId, session, 'cancellation', fee);
  }
}

/** Reopening takes the charge back by an entry of its own. */
export async function reverseCharge(
  context: Context,
  tx: Tx,
  { tutorId, sessionId }: { tutorId: string; sessionId: number },
): Promise<void> {
  const live = await findChargeOfSession(tx, tutorId, sessionId);
  if (!live) return;
  const [id] = (await takeIds(tx, tutorId, 'charge')) as [number];
  await insertReversal(tx, tutorId, live, {
    id,
    sessionId,
    author: TUTOR,
    now: context.clock.now(),
  });
}

async function charge(
  context: Context,
  tx: Tx,
  tutorId: string,
  session: Chargeable,
  kind: 'lesson' | 'cancellation',
  amount: number,
): Promise<void> {
  const now = context.clock.now();
  const familyId = await familyFor(tx, tutorId, session, now);
  const [id] = (await takeIds(tx, tutorId, 'charge')) as [number];
  const { studentId, sessionId, currency, date: dueDate } = session;
  await insertCharge(tx, tutorId, {
    id,
    familyId,
    studentId,
    sessionId,
    kind,
    amount,
    currency,
    dueDate,
    author: TUTOR,
    now,
  });
}

/** The carer pays, or a student who has none; the payer of this moment is frozen on the charge. */
async function familyFor(tx: Tx, tutorId: string, session: Chargeable, now: Date): Promise<number> {
  const payer = {
    carerId: session.carerId,
    studentId: session.carerId === null ? session.studentId : null,
  };
  const known = await familyOf(tx, tutorId, payer);
  if (known !== undefined) return known;
  const [id] = (await takeIds(tx, tutorId, 'family')) as [number];
  await insertFamily(tx, tutorId, id, payer, now);
  return id;
}
