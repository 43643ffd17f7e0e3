import { weekday } from '@lessonbook/contract/dates';
import { formatTime12 } from '@lessonbook/contract/format-time';
import { type ChangeKind, isSameSlot, type Slot } from './find-uncommunicated-changes.ts';
import {
  formatLongDate,
  formatShortDate,
  formatStart,
  formatTimeSpan,
  formatWeekday,
  type LocalSlot,
  type Reader,
} from './format-dates-and-lessons.ts';

export interface KnownLesson extends LocalSlot {
  /** The first name. */
  studentName: string;
  /** 'Maya: Maths, 4pm to 5pm', as last communicated. */
  summary: string;
}

/** The values of a session that a notice mentions. */
export interface ChangedSession {
  studentId: number;
  subjectName: string;
  place: string | null;
  cancelledBy: string | null;
  /** '£40.00', or null if the cancellation is free. */
  cancellationFee: string | null;
}

export interface Change {
  known: KnownLesson;
  /** Null if the session is not taking place, or has the time that was last communicated. */
  newSlot: LocalSlot | null;
  session: ChangedSession | null;
}

/** Describes a change as the recipient sees it: from the time that was last communicated to the current time. */
export const toChange = (
  known: Slot & KnownLesson,
  current: (Slot & LocalSlot) | null,
  session: ChangedSession | null,
): Change => ({
  known,
  newSlot: current === null || isSameSlot(known, current) ? null : current,
  session,
});

/** A change of time, or a change of place by the tutor for whole days. */
export type NoticeKind = ChangeKind | 'online' | 'in_person';

const SUBJECT_PREFIX: Record<NoticeKind, string> = {
  cancelled: 'cancelled',
  moved: 'moved',
  restored: 'reinstated',
  online: 'moved online',
  in_person: 'no longer online',
};

/** A moved series of at least this many lessons is described in one sentence instead of a list. */
const MIN_SERIES = 4;

/** "Maya's Maths lessons on Tuesdays at 4pm are now on Thursdays, …"; null unless all lessons moved in the same way. */
function formatSeriesMove(
  kind: NoticeKind,
  changes: readonly Change[],
  today: string,
  reader: Reader,
): string | null {
  const [first] = changes;
  if (kind !== 'moved' || changes.length < MIN_SERIES || !first?.newSlot || !first.session)
    return null;
  const { known, newSlot, session } = first;
  const isAlike = changes.every(
    (change) =>
      change.newSlot !== null &&
      change.session?.studentId === session.studentId &&
      change.session.subjectName === session.subjectName &&
      isSameWeeklyTime(change.known, known) &&
      isSameWeeklyTime(change.newSlot, newSlot),
  );
  if (!isAlike) return null;
  const owner = isReader(first, reader) ? 'Your' : `${known.studentName}'s`;
  const day = formatWeekday(newSlot.date);
  const isSameDay = day === formatWeekday(known.date);
  const place = session.place ? `, ${session.place}` : '';
  return `${owner} ${session.subjectName} lessons on ${formatWeekday(known.date)}s at ${formatStart(known, reader)} are now ${
    isSameDay ? 'from' : `on ${day}s,`
  } ${formatTimeSpan(newSlot, reader)}${place}. The first is on ${formatLongDate(newSlot.date, today)}.`;
}

const isSameWeeklyTime = (a: LocalSlot, b: LocalSlot): boolean =>
  weekday(a.date) === weekday(b.date) && a.startTime === b.startTime && a.endTime === b.endTime;

/** The subject line names at most this many lessons. */
const MAX_NAMED = 3;

const NO_CHARGE = "You won't be charged.";

/** Every cancellation says whether a fee applies. */
const formatFee = ({ session }: Change): string =>
  session?.cancellationFee
    ? `The ${session.cancellationFee} late-cancellation fee applies.`
    : NO_CHARGE;

export interface ChangeValues {
  what: string;
  summary: string;
  change: string;
  lessons: string;
}

export function changeTemplateValues(
  kind: NoticeKind,
  changes: readonly Change[],
  today: string,
  reader: Reader,
): { values: ChangeValues; feeSentences: string[] } {
  const isPlural = changes.length > 1;
  const feeSentences = [...new Set(kind === 'cancelled' ? changes.map(formatFee) : [])];
  // A single fee sentence applies to all lessons. If the sentences differ, each lesson's line has its own.
  const isFeeOnLines = feeSentences.length > 1;
  const sentence = formatChange(kind, changes);
  const values = {
    what: `Lesson${isPlural ? 's' : ''} ${SUBJECT_PREFIX[kind]}`,
    summary: formatSubject(changes, today, reader),
    change: isFeeOnLines ? sentence : [sentence, ...feeSentences].join(' '),
    lessons:
      formatSeriesMove(kind, changes, today, reader) ??
      changes
        .map((change) => {
          const line = formatLine(kind, change, today, reader);
          return isFeeOnLines ? `${line}. ${formatFee(change)}` : line;
        })
        .join(kind === 'moved' ? '\n\n' : '\n'),
  };
  return { values, feeSentences };
}

function formatChange(kind: NoticeKind, changes: readonly Change[]): string {
  const isPlural = changes.length > 1;
  if (kind === 'moved') return `Please note the new time${isPlural ? 's' : ''}:`;
  const lessons = isPlural ? 'these lessons' : 'this lesson';
  if (kind === 'online')
    return `${isPlural ? 'These lessons' : 'This lesson'} will be online instead of in person:`;
  if (kind === 'in_person')
    return `${isPlural ? 'These lessons' : 'This lesson'} will be in person as usual, not online:`;
  if (kind === 'restored') return `Good news: ${lessons} ${isPlural ? 'are' : 'is'} back on.`;
  const sentence = `${lessons} ${isPlural ? 'have' : 'has'} been cancelled.`;
  // There is no apology if the family cancelled.
  const isByFamily = changes.every(
    ({ session }) =>
      session !== null && session.cancelledBy !== null && session.cancelledBy !== 'tutor',
  );
  return isByFamily
    ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
    : `I'm sorry, ${sentence}`;
}

const isReader = ({ session }: Change, reader: Reader): boolean =>
  session !== null && session.studentId === reader.studentId;

/** 'Maya, Tue 17 Nov', or 'Maya to Thu 19 Nov, 5pm' if the lesson moved. For a student, the subject replaces the name. */
function formatSubject(changes: readonly Change[], today: string, reader: Reader): string {
  const items = changes.slice(0, MAX_NAMED).map((change) => {
    const { known, newSlot, session } = change;
    const name = isReader(change, reader) && session ? session.subjectName : known.studentName;
    return newSlot
      ? `${name} to ${formatShortDate(newSlot.date, today)}, ${formatStart(newSlot, reader)}`
      : `${name}, ${formatShortDate(known.date, today)}`;
  });
  const omitted = changes.length - items.length;
  return [...items, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join('; ');
}

function formatLine(kind: NoticeKind, change: Change, today: string, reader: Reader): string {
  const { known, newSlot, session } = change;
  if (kind === 'cancelled' || newSlot === null || session === null) {
    // The place is left out if the lesson is cancelled.
    const place = kind !== 'cancelled' && session?.place ? `, ${session.place}` : '';
    return `${formatShortDate(known.date, today)}, ${known.summary}${place}`;
  }
  const owner = isReader(change, reader) ? 'Your' : `${known.studentName}'s`;
  const lesson = `${owner} ${session.subjectName} lesson on ${formatLongDate(known.date, today)}`;
  const span = formatTimeSpan(newSlot, reader);
  const place = session.place ? `, ${session.place}` : '';
  const before = `${formatTime12(known.startTime)}${known.startTime === newSlot.startTime ? ` to ${formatTime12(known.endTime)}` : ''}`;
  return newSlot.date === known.date
    ? `${lesson} is now from ${span} (it was ${before})${place}.`
    : `${lesson} at ${formatStart(known, reader)} is now on ${formatLongDate(newSlot.date, today)}, ${span}${place}.`;
}
