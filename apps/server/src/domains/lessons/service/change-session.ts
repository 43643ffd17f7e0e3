import type { Overlap } from '@lessonbook/contract/errors';
import type { LessonChange } from '@lessonbook/contract/lessons';
import type { RescheduleInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { takeIds } from '../../../platform/counters.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { sessionMoved } from '../events.ts';
import { type LessonRecord, saveLesson } from '../queries/lessons.ts';
import { insertReplacement, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { applyFields, type FieldChanges, sessionColumns } from '../rules/fields.ts';
import { instantsOf, type WallTime } from '../rules/instants.ts';
import { consequencesOf } from './consequences.ts';
import type { SavedLesson } from './create-lesson.ts';
import { lessonInBook, mustBeScheduled, sessionInBook } from './find.ts';
import { settleOverlaps } from './overlaps.ts';
import { changeSchedule, type OpenBook } from './schedule.ts';

/** One session by itself: its fields are edited in place, another time makes it a moved session. */
export async function changeOneSession(
  book: OpenBook,
  lesson: LessonRecord,
  session: SessionRecord,
  input: LessonChange,
  changes: FieldChanges,
): Promise<SavedLesson> {
  const { tx, tutorId } = book;
  mustBeScheduled(session);
  const columns = {
    ...sessionColumns(changes),
    ...(changes.notes === undefined ? {} : { notes: changes.notes ?? '' }),
  };
  const edited = Object.keys(columns).length > 0;
  if (edited)
    await updateSessions(tx, tutorId, [session.id], {
      ...columns,
      is_override: lesson.isRecurring,
    });
  const moves = isMove(session, input);
  const fresh = edited ? await sessionInBook(tx, tutorId, session.id) : session;
  const moved = moves ? await moveSession(book, fresh, input, input.acceptOverlaps) : null;
  if (!lesson.isRecurring) {
    const { date, startTime, endTime } = input;
    const whole = applyFields(lesson, changes);
    await saveLesson(tx, tutorId, {
      ...whole,
      firstDate: date,
      anchorDate: date,
      materialisedTo: date,
      startTime,
      endTime,
    });
  }
  return {
    lessonId: lesson.id,
    sessionId: moved?.sessionId ?? session.id,
    consequences: consequencesOf({
      changed: edited || moves ? 1 : 0,
      dates: [input.date],
      overlaps: moved?.overlaps ?? [],
    }),
  };
}

const isMove = (session: SessionRecord, to: WallTime): boolean =>
  session.date !== to.date || session.startTime !== to.startTime || session.endTime !== to.endTime;

export async function rescheduleSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  input: RescheduleInput,
  repeat: Repeatable | null,
): Promise<number> {
  return changeSchedule(context, tutorId, (book) =>
    once(book.tx, tutorId, repeat, book.now, async () => {
      const session = await sessionInBook(book.tx, tutorId, sessionId);
      mustBeScheduled(session);
      if (!isMove(session, input)) return session.id;
      const lesson = await lessonInBook(book.tx, tutorId, session.lessonId);
      const moved = await moveSession(book, session, input, input.acceptOverlaps);
      if (!lesson.isRecurring) {
        const { date, startTime, endTime } = input;
        await saveLesson(book.tx, tutorId, {
          ...lesson,
          firstDate: date,
          anchorDate: date,
          materialisedTo: date,
          startTime,
          endTime,
        });
      }
      return moved.sessionId;
    }),
  );
}

/** The old session says where it went, the new one where it came from. */
async function moveSession(
  book: OpenBook,
  session: SessionRecord,
  to: WallTime,
  acceptOverlaps: boolean,
): Promise<{ sessionId: number; overlaps: Overlap[] }> {
  const { tx, tutorId, timeZone, now } = book;
  const { date, startTime, endTime } = to;
  const [id] = (await takeIds(tx, tutorId, 'session')) as [number];
  await insertReplacement(
    tx,
    tutorId,
    session,
    {
      id,
      slot: null,
      occurrenceDate: session.occurrenceDate,
      date,
      startTime,
      endTime,
      ...instantsOf(timeZone, { date, startTime, endTime }),
    },
    now,
  );
  await updateSessions(tx, tutorId, [session.id], { status: 'rescheduled', rescheduled_to_id: id });
  await book.context.events.publish(tx, sessionMoved, { tutorId, fromId: session.id, toId: id });
  const overlaps = await settleOverlaps(book, [session.id, id], acceptOverlaps);
  return { sessionId: id, overlaps };
}
