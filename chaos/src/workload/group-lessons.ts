import { addDaysToDate } from '@lessonbook/contract/dates';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { type Lesson, lessons } from '@lessonbook/contract/lessons';
import { CANCELLING_PARTIES, type Session } from '@lessonbook/contract/sessions';
import type { Outcome } from '../virtual-users/retrying-client.ts';
import type {
  TrackedSession,
  TrackedStudent,
  VirtualUser,
} from '../virtual-users/virtual-user-state.ts';
import { addLesson, pickRandomFee, rereadSessions } from './lessons.ts';
import {
  chargedAmount,
  expectedSeats,
  expectSession,
  isScheduled,
  readSession,
} from './sessions.ts';
import { addStudent } from './students-and-subjects.ts';

const MAX_STUDENTS = 6;

const isPermanent = (student: TrackedStudent): boolean => student.isPermanent;

const isGroup = (session: TrackedSession): boolean =>
  isScheduled(session) && expectedSeats(session).length > 1;

/** Adds a lesson or a series with one to six students, who belong to different families. */
export async function addGroupLesson(user: VirtualUser): Promise<void> {
  const size = user.random.between(1, MAX_STUDENTS);
  const group: TrackedStudent[] = [];
  while (group.length < size) {
    const student =
      user.pick(user.students, (each) => isPermanent(each) && !group.includes(each)) ??
      (await addStudent(user, true));
    if (!student) return;
    group.push(student);
  }
  const slot = user.randomSlot(1, 40);
  const series = {
    isRecurring: true,
    recurringPattern: 'weekly' as const,
    recurringEndDate: addDaysToDate(slot.date, user.random.between(7, 21)),
  };
  await addLesson(user, { ...slot, ...(user.random.chance(0.5) ? series : {}) }, group);
}

async function readRoster(
  user: VirtualUser,
  { lessonId, date }: TrackedSession,
): Promise<Lesson['students'] | undefined> {
  const { status, body } = await user.client.read(lessons.lesson, { params: { id: lessonId } });
  if (status !== 200) return undefined;
  return body.students.filter(({ toDate }) => toDate === null || toDate >= date);
}

const findScheduledFrom = (
  user: VirtualUser,
  { lessonId, date }: TrackedSession,
): TrackedSession[] =>
  [...user.sessions.values()].filter(
    (each) => each.lessonId === lessonId && each.status === 'scheduled' && each.date >= date,
  );

export async function joinLesson(user: VirtualUser): Promise<void> {
  const tracked = user.pick(user.sessions.values(), isScheduled);
  const roster = tracked && (await readRoster(user, tracked));
  if (!roster || roster.length >= MAX_STUDENTS) return addGroupLesson(user);
  const student =
    user.pick(
      user.students,
      (each) => isPermanent(each) && !roster.some(({ studentId }) => studentId === each.id),
    ) ?? (await addStudent(user, true));
  if (!student) return;
  const fee = pickRandomFee(user);
  const { lessonId, date: from } = tracked;
  const joined = findScheduledFrom(user, tracked).filter(({ seats }) => !seats.has(student.id));
  const outcome = await user.client.write(groupLessons.joinLesson, {
    params: { id: lessonId },
    body: { studentId: student.id, fee, from },
  });
  if (outcome.status !== 201) return user.reportUnexplained('joining a lesson', outcome);
  await rereadSessions(user, new Set([lessonId]));
  const minor = fee === null ? null : fee * 100;
  if (joined.some(({ seats }) => seats.get(student.id)?.fee !== minor))
    user.reportUnexplained('joining a lesson, which left no seat or the wrong fee,', outcome);
}

/** The API returns 409 if no other student is expected in one of the sessions. */
export async function leaveLesson(user: VirtualUser): Promise<void> {
  const tracked = user.pick(user.sessions.values(), isGroup);
  const roster = tracked && (await readRoster(user, tracked));
  if (!roster || new Set(roster.map((each) => each.studentId)).size < 2) return joinLesson(user);
  const { studentId } = user.random.pick(roster);
  const sessions = findScheduledFrom(user, tracked);
  const isLast = sessions.some((session) => {
    const seats = expectedSeats(session);
    return seats.length === 1 && seats[0]?.[0] === studentId;
  });
  for (const session of user.sessions.values())
    if (session.lessonId === tracked.lessonId) session.mayHaveSkippedNotice = true;
  const outcome = await user.client.write(groupLessons.leaveLesson, {
    params: { id: tracked.lessonId, studentId },
    query: { from: tracked.date },
  });
  if (outcome.status === 409 && isLast) return;
  const isRetry = outcome.outcomeUnknown && outcome.status === 404;
  if (outcome.status !== 200 && !isRetry)
    return user.reportUnexplained('leaving a lesson', outcome);
  await rereadSessions(user, new Set([tracked.lessonId]));
  if (sessions.some(({ seats }) => seats.get(studentId)?.state === 'expected'))
    user.reportUnexplained('leaving a lesson, which kept a seat,', outcome);
}

export async function cancelSeat(user: VirtualUser): Promise<void> {
  const tracked = user.pick(user.sessions.values(), isGroup);
  if (!tracked) return joinLesson(user);
  const [studentId] = user.random.pick(expectedSeats(tracked));
  const outcome = await user.client.write(groupLessons.cancelSeat, {
    params: { id: tracked.id, studentId },
    body: {
      cancelledBy: user.random.pick(CANCELLING_PARTIES),
      chargeFee: user.random.chance(0.4),
    },
  });
  await confirmSeat(user, tracked, studentId, 'cancelling a seat', outcome, 'cancelled');
}

export async function restoreSeat(user: VirtualUser): Promise<void> {
  const tracked = user.pick(
    user.sessions.values(),
    (session) => isScheduled(session) && expectedSeats(session).length < session.seats.size,
  );
  if (!tracked) return cancelSeat(user);
  const [studentId] = user.random.pick(
    [...tracked.seats].filter(([, { state }]) => state === 'cancelled'),
  );
  const outcome = await user.client.write(groupLessons.restoreSeat, {
    params: { id: tracked.id, studentId },
  });
  await confirmSeat(user, tracked, studentId, 'restoring a seat', outcome, 'expected');
}

/** After a lost response, the retry is refused because the seat already has the requested state. */
async function confirmSeat(
  user: VirtualUser,
  tracked: TrackedSession,
  studentId: number,
  action: string,
  outcome: Outcome<Session>,
  expectedState: 'expected' | 'cancelled',
): Promise<void> {
  const isRetry = outcome.outcomeUnknown && (outcome.status === 404 || outcome.status === 409);
  const session =
    outcome.status === 200 ? outcome.body : isRetry ? await readSession(user, tracked) : undefined;
  if (!session) return user.reportUnexplained(action, outcome);
  expectSession(user, tracked, session);
  const seat = tracked.seats.get(studentId);
  if (seat?.state !== expectedState)
    user.reportUnexplained(`${action}, which had no effect,`, outcome);
  else if (expectedState === 'expected' && chargedAmount(seat) !== 0)
    user.reportUnexplained('restoring a seat, which kept its charge,', outcome);
}
