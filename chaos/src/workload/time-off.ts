import { timeOff } from '@lessonbook/contract/time-off';
import { DELETED } from '../expected-state.ts';
import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { addLesson } from './lessons.ts';
import { expectSession, readSession } from './sessions.ts';

/** Adds time off on a distant date, sometimes with a lesson that the time off cancels. */
export async function addTimeOff(user: VirtualUser): Promise<void> {
  const date = user.newDayOff();
  const slot = { ...user.randomSlot(0, 0), date };
  const [session] = user.random.chance(0.4) ? await addLesson(user, slot) : [];
  const reason = user.newMarker('off');
  const { startTime, endTime } = slot;
  const outcome = await user.client.write(timeOff.createTimeOff, {
    body: {
      fromDate: date,
      toDate: date,
      startTime,
      endTime,
      reason,
      cancelSessionIds: session ? [session.id] : [],
    },
  });
  if (outcome.status !== 201) {
    user.expected.expectMarker('time off', reason, 0);
    return user.reportUnexplained('creating time off', outcome);
  }
  const { id } = outcome.body;
  user.expected.expectMarker('time off', reason, 1);
  user.expected.expectRow('time_off', id, { reason, from_date: date, start_time: startTime });
  user.timeOff.push({ id, reason, session: session ?? null });
  if (!session) return;
  session.isLocked = true;
  session.status = 'cancelled';
  user.expected.expectRow('sessions', session.id, { status: 'cancelled', time_off_id: id });
}

export async function deleteTimeOff(user: VirtualUser): Promise<void> {
  const entry = user.timeOff.pop();
  if (!entry) return addTimeOff(user);
  const restoresSession = user.random.chance(0.7);
  const outcome = await user.client.write(timeOff.deleteTimeOff, {
    params: { id: entry.id },
    query: { restore: restoresSession ? 'true' : 'false' },
  });
  const isDeleted = outcome.status === 200 || (outcome.outcomeUnknown && outcome.status === 404);
  if (!isDeleted) return user.reportUnexplained('deleting time off', outcome);
  user.expected.expectRow('time_off', entry.id, DELETED);
  user.expected.expectMarker('time off', entry.reason, 0);
  if (!entry.session) return;
  entry.session.isLocked = false;
  user.expected.expectRow('sessions', entry.session.id, { time_off_id: null });
  const session = await readSession(user, entry.session);
  if (session) expectSession(user, entry.session, session);
  const expectedStatus = restoresSession ? 'scheduled' : 'cancelled';
  if (entry.session.status !== expectedStatus)
    user.reportUnexplained(`deleting time off, which left ${entry.session.status},`, outcome);
}
