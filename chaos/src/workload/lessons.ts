import { addDaysToDate, EARLIEST_DATE } from '@lessonbook/contract/dates';
import { type LessonInput, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { NOT_NULL } from '../expected-state.ts';
import type {
  TrackedSession,
  TrackedStudent,
  VirtualUser,
} from '../virtual-users/virtual-user-state.ts';
import { chargedAmount, expectedSeats, expectSession, readSession } from './sessions.ts';
import { addStudent } from './students-and-subjects.ts';

/** Picks a permanent student, or creates one. */
export async function pickStudent(user: VirtualUser): Promise<TrackedStudent | undefined> {
  const existing = user.pick(user.students, ({ isPermanent }) => isPermanent);
  const mayCreate = user.students.filter(({ isPermanent }) => isPermanent).length < 6;
  return existing && !(mayCreate && user.random.chance(0.2)) ? existing : addStudent(user, true);
}

/** Picks the account of one of a student's payers. */
export async function pickFamily(user: VirtualUser): Promise<number | undefined> {
  const student = await pickStudent(user);
  return student && user.random.pick(user.studentDetails.get(student.id)?.payers ?? []).familyId;
}

type LessonFields = Pick<LessonInput, 'date' | 'startTime' | 'endTime'> & Partial<LessonInput>;

/** In major units; null is free. */
export const pickRandomFee = ({ random }: VirtualUser): number | null =>
  random.chance(0.1) ? null : random.between(20, 60);

/** Creates a lesson and reads its sessions. On an overlap the tutor either accepts it or gives up. */
export async function addLesson(
  user: VirtualUser,
  fields: LessonFields,
  forStudents?: readonly TrackedStudent[],
): Promise<TrackedSession[]> {
  const [student, ...others] = forStudents ?? [await pickStudent(user)];
  if (!student) return [];
  const title = user.newMarker('le');
  const fee = pickRandomFee(user);
  const acceptsOverlap = user.random.chance(0.7);
  const roster = [student, ...others].map((each) => ({
    studentId: (each as TrackedStudent).id,
    ...(others.length > 0 && user.random.chance(0.3) ? { fee: pickRandomFee(user) } : {}),
  }));
  const { subjectId } = user.context;
  const body = { studentId: student.id, students: roster, subjectId, title, fee, ...fields };
  const first = await user.client.write(lessons.createLesson, { body });
  const overlaps = first.error?.code === 'overlap';
  const outcome =
    overlaps && acceptsOverlap
      ? await user.client.write(lessons.createLesson, { body: { ...body, acceptOverlaps: true } })
      : first;
  if (outcome.status !== 201) {
    user.expected.expectMarker('lesson', title, 0);
    if (!overlaps || acceptsOverlap) user.reportUnexplained('creating a lesson', outcome);
    return [];
  }
  const { lessonId } = outcome.body;
  user.expected.expectMarker('lesson', title, 1);
  user.expected.expectRow('lessons', lessonId, { title, archived_at: null });
  const created = await readSessions(user, lessonId);
  for (const { studentId, fee: ownFee = fee } of roster) {
    const minor = ownFee === null ? null : ownFee * 100;
    if (created.some(({ seats }) => seats.get(studentId)?.fee !== minor))
      user.reportUnexplained(
        `creating a lesson, which did not set the fee ${minor} for student ${studentId},`,
        outcome,
      );
  }
  return created;
}

/** Expects the roster and the sessions as the API returns them. */
async function readSessions(user: VirtualUser, lessonId: number): Promise<TrackedSession[]> {
  const { status, body } = await user.client.read(lessons.lesson, { params: { id: lessonId } });
  if (status !== 200) return [];
  const roster = body.students
    .map((each) => ({ ...each, fromDate: each.fromDate ?? EARLIEST_DATE }))
    .toSorted((a, b) => a.studentId - b.studentId || a.fromDate.localeCompare(b.fromDate))
    .map(({ studentId, fromDate, toDate }) => `${studentId} ${fromDate} ${toDate ?? '-'}`)
    .join(', ');
  user.expected.expectRow('lessons', lessonId, { roster });
  const trackedSessions: TrackedSession[] = [];
  for (const row of [...body.upcoming, ...body.past]) {
    const existing = user.sessions.get(row.id);
    const tracked: TrackedSession = existing ?? {
      id: row.id,
      lessonId,
      date: row.date,
      status: 'scheduled',
      seats: new Map(),
      isRecurring: body.isRecurring,
      isLocked: false,
      mayHaveSkippedNotice: false,
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
      studentId: session.studentId,
      subjectId: lesson.subjectId,
      title: lesson.title,
      fee: session.fee === null ? null : session.fee / 100,
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
  await rereadSessions(user, new Set([tracked.lessonId, outcome.body.lessonId]));
}

/** Reads the known and the new sessions after a bulk change. */
export async function rereadSessions(
  user: VirtualUser,
  lessonIds: ReadonlySet<number>,
): Promise<void> {
  const read = new Set<number>();
  for (const lessonId of lessonIds)
    for (const { id } of await readSessions(user, lessonId)) read.add(id);
  for (const tracked of user.sessions.values()) {
    if (!lessonIds.has(tracked.lessonId) || read.has(tracked.id)) continue;
    const session = await readSession(user, tracked);
    if (session) expectSession(user, tracked, session);
  }
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
  await rereadSessions(user, new Set([lessonId]));
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
    const isCharged = expectedSeats(tracked).every(
      ([, seat]) => chargedAmount(seat) === (seat.fee ?? 0),
    );
    if (tracked.status !== 'completed' || !isCharged)
      user.reportUnexplained(`completing sessions, which left ${tracked.status},`, outcome);
  }
}
