import { addDaysToDate } from '@lessonbook/contract/dates';
import { type LessonInput, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { NOT_NULL } from '../expected-state.ts';
import type {
  TrackedSession,
  TrackedStudent,
  VirtualUser,
} from '../virtual-users/virtual-user-state.ts';
import { expectSession, readSession } from './sessions.ts';
import { addStudent } from './students-and-subjects.ts';

/** A permanent student, created if needed. */
export async function pickStudent(user: VirtualUser): Promise<TrackedStudent | undefined> {
  const existing = user.pick(user.students, ({ isPermanent }) => isPermanent);
  const wantsNew = user.students.filter(({ isPermanent }) => isPermanent).length < 6;
  return existing && !(wantsNew && user.random.chance(0.2)) ? existing : addStudent(user, true);
}

type LessonFields = Pick<LessonInput, 'date' | 'startTime' | 'endTime'> & Partial<LessonInput>;

/** Creates a lesson and reads its sessions. On an overlap the tutor either accepts it or gives up. */
export async function addLesson(
  user: VirtualUser,
  fields: LessonFields,
  forStudent?: TrackedStudent,
): Promise<TrackedSession[]> {
  const student = forStudent ?? (await pickStudent(user));
  if (!student) return [];
  const title = user.newMarker('le');
  const fee = user.random.chance(0.1) ? null : user.random.between(20, 60);
  const acceptsOverlap = user.random.chance(0.7);
  const body = { studentId: student.id, subjectId: user.context.subjectId, title, fee, ...fields };
  const first = await user.client.write(lessons.createLesson, { body });
  const overlaps = first.error?.code === 'overlap';
  const outcome =
    overlaps && acceptsOverlap
      ? await user.client.write(lessons.createLesson, { body: { ...body, acceptOverlaps: true } })
      : first;
  if (outcome.status !== 201) {
    user.expected.expectMarker('lesson', title, 'never');
    if (!overlaps || acceptsOverlap) user.reportUnexplained('creating a lesson', outcome);
    return [];
  }
  const { lessonId } = outcome.body;
  user.expected.expectMarker('lesson', title, 'once');
  user.expected.expectRow('lessons', lessonId, { title, archived_at: null });
  return readSessions(user, lessonId, student, body.fee === null ? null : (body.fee ?? 0) * 100);
}

async function readSessions(
  user: VirtualUser,
  lessonId: number,
  student: TrackedStudent,
  fee: number | null,
): Promise<TrackedSession[]> {
  const { status, body } = await user.client.read(lessons.lesson, { params: { id: lessonId } });
  if (status !== 200) return [];
  const trackedSessions: TrackedSession[] = [];
  for (const row of [...body.upcoming, ...body.past]) {
    const existing = user.sessions.get(row.id);
    const tracked: TrackedSession = existing ?? {
      id: row.id,
      lessonId,
      student,
      status: 'scheduled',
      fee,
      charged: 0,
      isRecurring: body.isRecurring,
      isLocked: false,
    };
    const session = await readSession(user, tracked);
    if (session) expectSession(user, tracked, session);
    trackedSessions.push(tracked);
  }
  return trackedSessions;
}

export const addSingleLesson = async (user: VirtualUser): Promise<void> =>
  void (await addLesson(user, user.randomSlot(1, 90)));

export async function addSeries(user: VirtualUser): Promise<void> {
  const slot = user.randomSlot(1, 40);
  await addLesson(user, {
    ...slot,
    isRecurring: true,
    recurringPattern: user.random.pick(['weekly', 'biweekly'] as const),
    recurringEndDate: addDaysToDate(slot.date, user.random.between(7, 35)),
  });
}

const isScheduledSeriesSession = ({ status, isRecurring, isLocked }: TrackedSession): boolean =>
  isRecurring && !isLocked && status === 'scheduled';

export async function changeSeries(user: VirtualUser): Promise<void> {
  const tracked = user.pick(user.sessions.values(), isScheduledSeriesSession);
  if (!tracked) return addSeries(user);
  const params = { id: tracked.lessonId };
  const { status, body: lesson } = await user.client.read(lessons.lesson, { params });
  const session = await readSession(user, tracked);
  // A series cannot be changed from a session that was moved past its end.
  if (status !== 200 || !session || session.date > (lesson.recurringEndDate ?? '')) return;
  const place = `Room ${user.random.between(1, 10_000)}`;
  const { startTime, endTime } = user.randomSlot(1, 1);
  const times = user.random.chance(0.5) ? { startTime, endTime } : session;
  const outcome = await user.client.write(lessons.updateLesson, {
    params,
    body: {
      studentId: lesson.studentId,
      subjectId: lesson.subjectId,
      title: lesson.title,
      fee: lesson.fee,
      place,
      date: session.date,
      startTime: times.startTime,
      endTime: times.endTime,
      isRecurring: true,
      recurringPattern: lesson.recurringPattern,
      recurringEndDate: lesson.recurringEndDate,
      scope: user.random.pick(['this', 'following', 'all'] as const),
      sessionId: tracked.id,
      acceptOverlaps: true,
    },
  });
  if (outcome.status !== 200) return user.reportUnexplained('updating a series', outcome);
  await rereadSessions(user, new Set([tracked.lessonId, outcome.body.lessonId]), tracked);
}

/** Reads the known and the new sessions after a bulk change. */
async function rereadSessions(
  user: VirtualUser,
  lessonIds: ReadonlySet<number>,
  template: TrackedSession,
): Promise<void> {
  for (const tracked of user.sessions.values()) {
    if (!lessonIds.has(tracked.lessonId)) continue;
    const session = await readSession(user, tracked);
    if (session) expectSession(user, tracked, session);
  }
  for (const lessonId of lessonIds)
    await readSessions(user, lessonId, template.student, template.fee);
}

export async function deleteLesson(user: VirtualUser): Promise<void> {
  const tracked = user.pick(user.sessions.values(), isScheduledSeriesSession);
  if (!tracked) return addSeries(user);
  const scope = user.random.pick(['this', 'following', 'all'] as const);
  const outcome = await user.client.write(lessons.deleteLesson, {
    params: { id: tracked.lessonId },
    query: { scope, sessionId: tracked.id },
  });
  const isRetry = outcome.outcomeUnknown && (outcome.status === 404 || outcome.status === 409);
  if (outcome.status !== 200 && !isRetry)
    return user.reportUnexplained('deleting a lesson', outcome);
  const { lessonId } = tracked;
  const { status } = await user.client.read(lessons.lesson, { params: { id: lessonId } });
  // A deleted lesson's sessions cannot be reopened.
  for (const each of user.sessions.values())
    if (each.lessonId === lessonId && status === 404) each.isLocked = true;
  if (status === 404) user.expected.expectRow('lessons', lessonId, { archived_at: NOT_NULL });
  await rereadSessions(user, new Set([lessonId]), tracked);
  if (tracked.status !== 'cancelled')
    user.reportUnexplained(`deleting ${scope}, which left ${tracked.status},`, outcome);
}

/** Completes past sessions in one request. */
export async function completePastSessions(user: VirtualUser): Promise<void> {
  const pastSessions = [
    ...(await addLesson(user, user.randomSlot(-40, -20))),
    ...(await addLesson(user, user.randomSlot(-19, -1))),
  ].filter(({ status }) => status === 'scheduled');
  if (pastSessions.length === 0) return;
  const outcome = await user.client.write(sessions.completeSessions, {
    body: { sessions: pastSessions.map(({ id }) => ({ id })) },
  });
  const isRetry = outcome.outcomeUnknown && outcome.status === 409;
  if (outcome.status !== 200 && !isRetry)
    return user.reportUnexplained('completing sessions', outcome);
  for (const tracked of pastSessions) {
    const session = await readSession(user, tracked);
    if (session) expectSession(user, tracked, session);
    if (tracked.status !== 'completed' || tracked.charged !== (tracked.fee ?? 0)) {
      user.reportUnexplained(
        `completing sessions, which left ${tracked.status} with a charge of ${tracked.charged},`,
        outcome,
      );
    }
  }
}
