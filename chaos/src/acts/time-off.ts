import { timeOff } from '@lessonbook/contract/time-off';
import type { Seat } from '../clients/seat.ts';
import { GONE } from '../journal.ts';
import { addLesson } from './lessons.ts';
import { noteSession, readSession } from './sessions.ts';

/** A day far ahead, with or without a lesson on it that is called off. */
export async function takeTimeOff(seat: Seat): Promise<void> {
  const date = seat.newDayOff();
  const when = { ...seat.someTime(0, 0), date };
  const [session] = seat.random.chance(0.4) ? await addLesson(seat, when) : [];
  const reason = seat.newMark('off');
  const { startTime, endTime } = when;
  const outcome = await seat.client.write(timeOff.createTimeOff, {
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
    seat.journal.mark('time off', reason, 'never');
    return seat.unexplained('time off', outcome);
  }
  const { id } = outcome.body;
  seat.journal.mark('time off', reason, 'once');
  seat.journal.note('time_off', id, { reason, from_date: date, start_time: startTime });
  seat.away.push({ id, reason, session: session ?? null });
  if (!session) return;
  session.held = true;
  session.status = 'cancelled';
  seat.journal.note('sessions', session.id, { status: 'cancelled', time_off_id: id });
}

export async function giveUpTimeOff(seat: Seat): Promise<void> {
  const away = seat.away.pop();
  if (!away) return takeTimeOff(seat);
  const restore = seat.random.chance(0.7);
  const outcome = await seat.client.write(timeOff.deleteTimeOff, {
    params: { id: away.id },
    query: { restore: restore ? 'true' : 'false' },
  });
  const gone = outcome.status === 200 || (outcome.unsure && outcome.status === 404);
  if (!gone) return seat.unexplained('giving up time off', outcome);
  seat.journal.note('time_off', away.id, GONE);
  seat.journal.mark('time off', away.reason, 'never');
  if (!away.session) return;
  away.session.held = false;
  seat.journal.note('sessions', away.session.id, { time_off_id: null });
  const session = await readSession(seat, away.session);
  if (session) noteSession(seat, away.session, session);
  const expected = restore ? 'scheduled' : 'cancelled';
  if (away.session.status !== expected)
    seat.unexplained(`time off that left ${away.session.status}`, outcome);
}
