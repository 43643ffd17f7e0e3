import { ATTENDANCE_STATUSES, type Session, sessions } from '@lessonbook/contract/sessions';
import type { Outcome } from '../virtual-users/retrying-client.ts';
import type {
  TrackedSeat,
  TrackedSession,
  VirtualUser,
} from '../virtual-users/virtual-user-state.ts';

export const isScheduled = ({ status, isLocked }: TrackedSession): boolean =>
  status === 'scheduled' && !isLocked;

export const pickScheduledSession = (user: VirtualUser): TrackedSession | undefined =>
  user.pick(user.sessions.values(), isScheduled);

/** The students who are expected in the session, with their seats. */
export const expectedSeats = ({ seats }: TrackedSession): [studentId: number, TrackedSeat][] =>
  [...seats].filter(([, { state }]) => state === 'expected');

export const chargedAmount = ({ charges }: TrackedSeat): number =>
  charges.reduce((sum, { amount }) => sum + amount, 0);

/** Expects the session, its seats and their charges as the API returned them. */
export function expectSession(user: VirtualUser, tracked: TrackedSession, session: Session): void {
  tracked.status = session.status;
  tracked.date = session.date;
  tracked.lessonId = session.lessonId;
  const previousSeats = tracked.seats;
  tracked.seats = new Map(
    session.students.map(({ studentId, fee, state }) => {
      const { fee: trackedFee, charges } = previousSeats.get(studentId) ?? { fee, charges: [] };
      return [studentId, { fee: trackedFee, state, charges }];
    }),
  );
  for (const { studentId, charged } of session.students)
    expectCharged(user, tracked, studentId, charged ?? 0);
  user.sessions.set(session.id, tracked);
  user.expected.expectRow('sessions', session.id, {
    status: session.status,
    date: session.date,
    start_time: session.startTime,
    end_time: session.endTime,
    place: session.place,
    seats: session.students
      .toSorted((a, b) => a.studentId - b.studentId)
      .map(({ studentId, state, attendance }) => {
        const fee = tracked.seats.get(studentId)?.fee;
        return `${studentId} ${state} ${attendance ?? '-'} ${fee ?? '-'}`;
      })
      .join(', '),
    lesson_id: session.lessonId,
    rescheduled_to_id: session.rescheduledToSessionId,
  });
}

/** Splits a new charge between the payers on the date of the session; the first pays the odd pennies. */
function expectCharged(
  user: VirtualUser,
  { seats, date }: TrackedSession,
  studentId: number,
  charged: number,
): void {
  const seat = seats.get(studentId);
  if (!seat || charged === chargedAmount(seat)) return;
  for (const { familyId, amount } of seat.charges) user.expected.addToBalance(familyId, -amount);
  const payers =
    user.studentDetails.get(studentId)?.payers.filter(({ from }) => from <= date) ?? [];
  const latest = payers.at(-1)?.from;
  const [first, ...others] = payers
    .filter(({ from }) => from === latest)
    .map(({ familyId, percent }) => ({
      familyId,
      amount: Math.floor((charged * percent) / 100),
    }));
  if (!first) throw new Error(`Student ${studentId} has no payers`);
  first.amount = charged - others.reduce((sum, { amount }) => sum + amount, 0);
  seat.charges = [first, ...others];
  for (const { familyId, amount } of seat.charges) user.expected.addToBalance(familyId, amount);
}

export async function readSession(
  user: VirtualUser,
  tracked: TrackedSession,
): Promise<Session | undefined> {
  const { status, body } = await user.client.read(sessions.session, { params: { id: tracked.id } });
  return status === 200 ? body : undefined;
}

/** After a lost response, the retry is refused because the session already has the requested status. */
async function confirmStatus(
  user: VirtualUser,
  tracked: TrackedSession,
  action: string,
  outcome: Outcome<Session>,
  expectedStatus: TrackedSession['status'],
): Promise<boolean> {
  if (outcome.status === 200) {
    if (outcome.body.status !== expectedStatus)
      user.reportUnexplained(`${action} with the wrong status`, outcome);
    expectSession(user, tracked, outcome.body);
    return true;
  }
  const found = outcome.outcomeUnknown ? await readSession(user, tracked) : undefined;
  if (found?.status === expectedStatus) {
    expectSession(user, tracked, found);
    return true;
  }
  user.reportUnexplained(action, outcome);
  return false;
}

const randomOutcome = ({ random }: VirtualUser) => ({
  attendance: random.pick(ATTENDANCE_STATUSES),
  charge: random.chance(0.85),
});

/** Completes a session; in a group, the attendance and charge of some students differ. */
export async function completeSession(user: VirtualUser): Promise<void> {
  const tracked = pickScheduledSession(user);
  if (!tracked) return;
  const seats = expectedSeats(tracked);
  const exceptions = seats
    .filter(() => seats.length > 1 && user.random.chance(0.3))
    .map(([studentId]) => ({ studentId, ...randomOutcome(user) }));
  const defaultOutcome = randomOutcome(user);
  const outcome = await user.client.write(sessions.completeSession, {
    params: { id: tracked.id },
    body: { ...defaultOutcome, students: exceptions },
  });
  const isCompleted = await confirmStatus(
    user,
    tracked,
    'completing a session',
    outcome,
    'completed',
  );
  if (!isCompleted) return;
  for (const [studentId, seat] of expectedSeats(tracked)) {
    const { charge } = exceptions.find((each) => each.studentId === studentId) ?? defaultOutcome;
    const expected = charge ? (seat.fee ?? 0) : 0;
    if (chargedAmount(seat) !== expected) {
      user.reportUnexplained(
        `completing a session, which charged ${chargedAmount(seat)} and not ${expected},`,
        outcome,
      );
    }
  }
}

export async function cancelSession(user: VirtualUser): Promise<TrackedSession | undefined> {
  const tracked = pickScheduledSession(user);
  if (!tracked) return undefined;
  const outcome = await user.client.write(sessions.cancelSession, {
    params: { id: tracked.id },
    body: {
      cancelledBy: user.random.pick(['tutor', 'student', 'carer'] as const),
      chargeFee: user.random.chance(0.4),
    },
  });
  return (await confirmStatus(user, tracked, 'cancelling a session', outcome, 'cancelled'))
    ? tracked
    : undefined;
}

export async function reopenSession(user: VirtualUser): Promise<void> {
  const tracked = user.pick(
    user.sessions.values(),
    ({ status, isLocked }) => !isLocked && (status === 'completed' || status === 'cancelled'),
  );
  if (!tracked) return completeSession(user);
  tracked.mayHaveSkippedNotice = true;
  const outcome = await user.client.write(sessions.reopenSession, {
    params: { id: tracked.id },
    body: { acceptOverlaps: true },
  });
  await confirmStatus(user, tracked, 'reopening a session', outcome, 'scheduled');
}

export async function rescheduleSession(user: VirtualUser): Promise<void> {
  const tracked = pickScheduledSession(user);
  if (!tracked) return;
  const newSlot = user.randomSlot(1, 90);
  const send = (acceptOverlaps: boolean) =>
    user.client.write(sessions.rescheduleSession, {
      params: { id: tracked.id },
      body: { ...newSlot, acceptOverlaps },
    });
  const first = await send(false);
  // The tutor accepts the overlap.
  const outcome = first.error?.code === 'overlap' ? await send(true) : first;
  if (outcome.status !== 200) return user.reportUnexplained('rescheduling a session', outcome);
  expectMoved(user, tracked, outcome.body);
}

/** Expects the session at its new time. */
export function expectMoved(user: VirtualUser, tracked: TrackedSession, moved: Session): void {
  const { id } = moved;
  if (id === tracked.id) return expectSession(user, tracked, moved);
  // Cancelled seats and their charges stay in the old session.
  const seats = new Map(
    expectedSeats(tracked).map(([studentId, { fee }]) => [
      studentId,
      { fee, state: 'expected' as const, charges: [] },
    ]),
  );
  expectSession(user, { ...tracked, id, seats, isRecurring: false }, moved);
  tracked.status = 'rescheduled';
  user.expected.expectRow('sessions', tracked.id, { status: 'rescheduled', rescheduled_to_id: id });
}
