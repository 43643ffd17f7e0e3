import { type Session, sessions } from '@lessonbook/contract/sessions';
import type { Outcome } from '../clients/client.ts';
import type { Seat, Taught } from '../clients/seat.ts';

const isScheduled = ({ status, held }: Taught): boolean => status === 'scheduled' && !held;

export const someScheduled = (seat: Seat): Taught | undefined =>
  seat.pick(seat.sessions.values(), isScheduled);

/** Writes down what the API says a session is now, and what stands on the account for it. */
export function noteSession(seat: Seat, taught: Taught, session: Session): void {
  const charged = session.charged ?? 0;
  if (charged !== taught.charged) seat.journal.owe(taught.pupil.familyId, charged - taught.charged);
  taught.charged = charged;
  taught.status = session.status;
  taught.lessonId = session.lessonId;
  seat.sessions.set(session.id, taught);
  seat.journal.note('sessions', session.id, {
    status: session.status,
    date: session.date,
    start_time: session.startTime,
    end_time: session.endTime,
    place: session.place,
    attendance: session.attendance,
    lesson_id: session.lessonId,
    rescheduled_to_id: session.rescheduledToSessionId,
  });
}

export async function readSession(seat: Seat, taught: Taught): Promise<Session | undefined> {
  const { status, body } = await seat.client.read(sessions.session, { params: { id: taught.id } });
  return status === 200 ? body : undefined;
}

/** An act that leads to a state: whoever asks again after a lost answer is refused, and finds it done. */
async function settle(
  seat: Seat,
  taught: Taught,
  what: string,
  outcome: Outcome<Session>,
  wanted: Taught['status'],
): Promise<boolean> {
  if (outcome.status === 200) {
    if (outcome.body.status !== wanted) seat.unexplained(`${what} that is not`, outcome);
    noteSession(seat, taught, outcome.body);
    return true;
  }
  const found = outcome.unsure ? await readSession(seat, taught) : undefined;
  if (found?.status === wanted) {
    noteSession(seat, taught, found);
    return true;
  }
  seat.unexplained(what, outcome);
  return false;
}

export async function complete(seat: Seat): Promise<void> {
  const taught = someScheduled(seat);
  if (!taught) return;
  const attendance = seat.random.pick(['attended', 'late', 'absent'] as const);
  const charge = seat.random.chance(0.85);
  const outcome = await seat.client.write(sessions.completeSession, {
    params: { id: taught.id },
    body: { attendance, charge },
  });
  const done = await settle(seat, taught, 'a completion', outcome, 'completed');
  const expected = done && charge ? (taught.fee ?? 0) : 0;
  if (done && taught.charged !== expected) {
    seat.unexplained(`a completion that charged ${taught.charged} and not ${expected}`, outcome);
  }
}

export async function cancel(seat: Seat): Promise<Taught | undefined> {
  const taught = someScheduled(seat);
  if (!taught) return undefined;
  const outcome = await seat.client.write(sessions.cancelSession, {
    params: { id: taught.id },
    body: {
      cancelledBy: seat.random.pick(['tutor', 'student', 'carer'] as const),
      chargeFee: seat.random.chance(0.4),
    },
  });
  return (await settle(seat, taught, 'a cancellation', outcome, 'cancelled')) ? taught : undefined;
}

export async function reopen(seat: Seat): Promise<void> {
  const taught = seat.pick(
    seat.sessions.values(),
    ({ status, held }) => !held && (status === 'completed' || status === 'cancelled'),
  );
  if (!taught) return complete(seat);
  const outcome = await seat.client.write(sessions.reopenSession, {
    params: { id: taught.id },
    body: { acceptOverlaps: true },
  });
  await settle(seat, taught, 'a reopening', outcome, 'scheduled');
}

export async function move(seat: Seat): Promise<void> {
  const taught = someScheduled(seat);
  if (!taught) return;
  const to = seat.someTime(1, 90);
  const go = (acceptOverlaps: boolean) =>
    seat.client.write(sessions.rescheduleSession, {
      params: { id: taught.id },
      body: { ...to, acceptOverlaps },
    });
  const first = await go(false);
  // The tutor looks at what is in the way, and says yes.
  const outcome = first.error?.code === 'overlap' ? await go(true) : first;
  if (outcome.status !== 200) return seat.unexplained('a move', outcome);
  const { id } = outcome.body;
  if (id === taught.id) return noteSession(seat, taught, outcome.body);
  noteSession(seat, { ...taught, id, charged: 0, repeats: false }, outcome.body);
  taught.status = 'rescheduled';
  seat.journal.note('sessions', taught.id, { status: 'rescheduled', rescheduled_to_id: id });
}
