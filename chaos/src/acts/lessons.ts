import { plusDays } from '@lessonbook/contract/dates';
import { type LessonInput, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import type { Pupil, Seat, Taught } from '../clients/seat.ts';
import { SET } from '../journal.ts';
import { addStudent } from './people.ts';
import { noteSession, readSession } from './sessions.ts';

/** Somebody who is taught, and stays. */
export async function somePupil(seat: Seat): Promise<Pupil | undefined> {
  const known = seat.pick(seat.pupils, ({ stays }) => stays);
  const wantsNew = seat.pupils.filter(({ stays }) => stays).length < 6;
  return known && !(wantsNew && seat.random.chance(0.2)) ? known : addStudent(seat, true);
}

type Wish = Pick<LessonInput, 'date' | 'startTime' | 'endTime'> & Partial<LessonInput>;

/** Adds one and learns its sessions. Where something is in the way the tutor says yes, or leaves it. */
export async function addLesson(seat: Seat, wish: Wish, pupil?: Pupil): Promise<Taught[]> {
  const whose = pupil ?? (await somePupil(seat));
  if (!whose) return [];
  const title = seat.newMark('le');
  const fee = seat.random.chance(0.1) ? null : seat.random.between(20, 60);
  const insists = seat.random.chance(0.7);
  const body = { studentId: whose.id, subjectId: seat.room.subjectId, title, fee, ...wish };
  const first = await seat.client.write(lessons.createLesson, { body });
  const inTheWay = first.error?.code === 'overlap';
  const outcome =
    inTheWay && insists
      ? await seat.client.write(lessons.createLesson, { body: { ...body, acceptOverlaps: true } })
      : first;
  if (outcome.status !== 201) {
    seat.journal.mark('lesson', title, 'never');
    if (!inTheWay || insists) seat.unexplained('a new lesson', outcome);
    return [];
  }
  const { lessonId } = outcome.body;
  seat.journal.mark('lesson', title, 'once');
  seat.journal.note('lessons', lessonId, { title, archived_at: null });
  return learn(seat, lessonId, whose, body.fee === null ? null : (body.fee ?? 0) * 100);
}

/** The sessions of a lesson as the API shows them. */
async function learn(
  seat: Seat,
  lessonId: number,
  pupil: Pupil,
  fee: number | null,
): Promise<Taught[]> {
  const { status, body } = await seat.client.read(lessons.lesson, { params: { id: lessonId } });
  if (status !== 200) return [];
  const learned: Taught[] = [];
  for (const row of [...body.coming, ...body.past]) {
    const known = seat.sessions.get(row.id);
    const taught: Taught = known ?? {
      id: row.id,
      lessonId,
      pupil,
      status: 'scheduled',
      fee,
      charged: 0,
      repeats: body.isRecurring,
      held: false,
      told: false,
    };
    const session = await readSession(seat, taught);
    if (session) noteSession(seat, taught, session);
    learned.push(taught);
  }
  return learned;
}

export const addOne = async (seat: Seat): Promise<void> =>
  void (await addLesson(seat, seat.someTime(1, 90)));

export async function addSeries(seat: Seat): Promise<void> {
  const when = seat.someTime(1, 40);
  await addLesson(seat, {
    ...when,
    isRecurring: true,
    recurringPattern: seat.random.pick(['weekly', 'biweekly'] as const),
    recurringEndDate: plusDays(when.date, seat.random.between(7, 35)),
  });
}

const inSeries = ({ status, repeats, held }: Taught): boolean =>
  repeats && !held && status === 'scheduled';

export async function changeSeries(seat: Seat): Promise<void> {
  const taught = seat.pick(seat.sessions.values(), inSeries);
  if (!taught) return addSeries(seat);
  const params = { id: taught.lessonId };
  const { status, body: lesson } = await seat.client.read(lessons.lesson, { params });
  const session = await readSession(seat, taught);
  // One that was moved beyond the end is no place to change the series from.
  if (status !== 200 || !session || session.date > (lesson.recurringEndDate ?? '')) return;
  const place = `Room ${seat.random.between(1, 10_000)}`;
  const { startTime, endTime } = seat.someTime(1, 1);
  const times = seat.random.chance(0.5) ? { startTime, endTime } : session;
  const outcome = await seat.client.write(lessons.updateLesson, {
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
      scope: seat.random.pick(['this', 'following', 'all'] as const),
      sessionId: taught.id,
      acceptOverlaps: true,
    },
  });
  if (outcome.status !== 200) return seat.unexplained('a change of a series', outcome);
  await learnAgain(seat, new Set([taught.lessonId, outcome.body.lessonId]), taught);
}

/** After a change of many sessions: those that are known, and those that came. */
async function learnAgain(seat: Seat, lessonIds: ReadonlySet<number>, like: Taught): Promise<void> {
  for (const taught of seat.sessions.values()) {
    if (!lessonIds.has(taught.lessonId)) continue;
    const session = await readSession(seat, taught);
    if (session) noteSession(seat, taught, session);
  }
  for (const lessonId of lessonIds) await learn(seat, lessonId, like.pupil, like.fee);
}

export async function deleteLesson(seat: Seat): Promise<void> {
  const taught = seat.pick(seat.sessions.values(), inSeries);
  if (!taught) return addSeries(seat);
  const scope = seat.random.pick(['this', 'following', 'all'] as const);
  const outcome = await seat.client.write(lessons.deleteLesson, {
    params: { id: taught.lessonId },
    query: { scope, sessionId: taught.id },
  });
  const again = outcome.unsure && (outcome.status === 404 || outcome.status === 409);
  if (outcome.status !== 200 && !again) return seat.unexplained('deleting a lesson', outcome);
  const { lessonId } = taught;
  const { status } = await seat.client.read(lessons.lesson, { params: { id: lessonId } });
  // Of a deleted lesson nothing can be reopened any more.
  for (const each of seat.sessions.values())
    if (each.lessonId === lessonId && status === 404) each.held = true;
  if (status === 404) seat.journal.note('lessons', lessonId, { archived_at: SET });
  await learnAgain(seat, new Set([lessonId]), taught);
  if (taught.status !== 'cancelled')
    seat.unexplained(`deleting ${scope}, which left ${taught.status},`, outcome);
}

/** Lessons of past days, ticked off together. */
export async function catchUp(seat: Seat): Promise<void> {
  const due = [
    ...(await addLesson(seat, seat.someTime(-40, -20))),
    ...(await addLesson(seat, seat.someTime(-19, -1))),
  ].filter(({ status }) => status === 'scheduled');
  if (due.length === 0) return;
  const outcome = await seat.client.write(sessions.completeSessions, {
    body: { sessions: due.map(({ id }) => ({ id })) },
  });
  const again = outcome.unsure && outcome.status === 409;
  if (outcome.status !== 200 && !again) return seat.unexplained('catching up', outcome);
  for (const taught of due) {
    const session = await readSession(seat, taught);
    if (session) noteSession(seat, taught, session);
    if (taught.status !== 'completed' || taught.charged !== (taught.fee ?? 0)) {
      seat.unexplained(`catching up, which left ${taught.status} for ${taught.charged},`, outcome);
    }
  }
}
