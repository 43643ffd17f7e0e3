import { timeOff } from '@lessonbook/contract/time-off';
import { DELETED } from '../expected-state.ts';
import type { VirtualUser } from '../virtual-users/virtual-user.ts';
import { addLesson } from './lessons.ts';
import { expectSession, readSession } from './sessions.ts';

/** A day far ahead, with or without a lesson on it that is called off. */
export async function addTimeOff(user: VirtualUser): Promise<void> {
  const date = user.newDayOff();
  const when = { ...user.randomSlot(0, 0), date };
  const [session] = user.random.chance(0.4) ? await addLesson(user, when) : [];
  const reason = user.newMark('off');
  const { startTime, endTime } = when;
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
    user.expected.expectMark('time off', reason, 'never');
    return user.reportUnexplained('time off', outcome);
  }
  const { id } = outcome.body;
  user.expected.expectMark('time off', reason, 'once');
  user.expected.expectRow('time_off', id, { reason, from_date: date, start_time: startTime });
  user.timeOff.push({ id, reason, session: session ?? null });
  if (!session) return;
  session.isLocked = true;
  session.status = 'cancelled';
  user.expected.expectRow('sessions', session.id, { status: 'cancelled', time_off_id: id });
}

export async function deleteTimeOff(user: VirtualUser): Promise<void> {
  const away = user.timeOff.pop();
  if (!away) return addTimeOff(user);
  const restore = user.random.chance(0.7);
  const outcome = await user.client.write(timeOff.deleteTimeOff, {
    params: { id: away.id },
    query: { restore: restore ? 'true' : 'false' },
  });
  const gone = outcome.status === 200 || (outcome.unsure && outcome.status === 404);
  if (!gone) return user.reportUnexplained('giving up time off', outcome);
  user.expected.expectRow('time_off', away.id, DELETED);
  user.expected.expectMark('time off', away.reason, 'never');
  if (!away.session) return;
  away.session.isLocked = false;
  user.expected.expectRow('sessions', away.session.id, { time_off_id: null });
  const session = await readSession(user, away.session);
  if (session) expectSession(user, away.session, session);
  const expected = restore ? 'scheduled' : 'cancelled';
  if (away.session.status !== expected)
    user.reportUnexplained(`time off that left ${away.session.status}`, outcome);
}
