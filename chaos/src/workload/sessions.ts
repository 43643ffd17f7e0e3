import { type Session, sessions } from '@lessonbook/contract/sessions';
import type { Outcome } from '../virtual-users/retrying-client.ts';
import type { TrackedSession, VirtualUser } from '../virtual-users/virtual-user-state.ts';

const isScheduled = ({ status, isLocked }: TrackedSession): boolean =>
  status === 'scheduled' && !isLocked;

export const pickScheduledSession = (user: VirtualUser): TrackedSession | undefined =>
  user.pick(user.sessions.values(), isScheduled);

/** Expects the session and its charge as the API returned them. */
export function expectSession(user: VirtualUser, tracked: TrackedSession, session: Session): void {
  const charged = session.charged ?? 0;
  if (charged !== tracked.charged)
    user.expected.addToBalance(tracked.student.familyId, charged - tracked.charged);
  tracked.charged = charged;
  tracked.status = session.status;
  tracked.lessonId = session.lessonId;
  user.sessions.set(session.id, tracked);
  user.expected.expectRow('sessions', session.id, {
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
  what: string,
  outcome: Outcome<Session>,
  expectedStatus: TrackedSession['status'],
): Promise<boolean> {
  if (outcome.status === 200) {
    if (outcome.body.status !== expectedStatus)
      user.reportUnexplained(`${what} with another status`, outcome);
    expectSession(user, tracked, outcome.body);
    return true;
  }
  const found = outcome.outcomeUnknown ? await readSession(user, tracked) : undefined;
  if (found?.status === expectedStatus) {
    expectSession(user, tracked, found);
    return true;
  }
  user.reportUnexplained(what, outcome);
  return false;
}

export async function completeSession(user: VirtualUser): Promise<void> {
  const tracked = pickScheduledSession(user);
  if (!tracked) return;
  const attendance = user.random.pick(['attended', 'late', 'absent'] as const);
  const charge = user.random.chance(0.85);
  const outcome = await user.client.write(sessions.completeSession, {
    params: { id: tracked.id },
    body: { attendance, charge },
  });
  const isCompleted = await confirmStatus(
    user,
    tracked,
    'completing a session',
    outcome,
    'completed',
  );
  const expectedCharge = isCompleted && charge ? (tracked.fee ?? 0) : 0;
  if (isCompleted && tracked.charged !== expectedCharge) {
    user.reportUnexplained(
      `completing a session, which charged ${tracked.charged} and not ${expectedCharge},`,
      outcome,
    );
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
  const { id } = outcome.body;
  if (id === tracked.id) return expectSession(user, tracked, outcome.body);
  expectSession(user, { ...tracked, id, charged: 0, isRecurring: false }, outcome.body);
  tracked.status = 'rescheduled';
  user.expected.expectRow('sessions', tracked.id, { status: 'rescheduled', rescheduled_to_id: id });
}
