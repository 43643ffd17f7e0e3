import { isMeetingLink } from '@lessonbook/contract/detect-online-place';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { PortalLesson, PortalLessons } from '@lessonbook/contract/portal';
import { dateInZone, minutesBetween } from '@lessonbook/contract/time';
import { IconCheck, IconClock, IconVideo } from '@tabler/icons-react';
import { useDeferredValue } from 'react';
import { formatAmount, formatDayMonth, formatShortDate, weekdayName } from '../../lib/format.ts';
import { isCancellable } from './cancellation-cost.ts';
import { MoveRequestActions, MoveRequestText } from './MoveRequestTextAndActions.tsx';
import classes from './PortalLessonList.module.css';
import {
  dayName,
  formatCancellation,
  formatEnd,
  formatOwnTime,
  formatSubject,
  groupByDate,
  seatKey,
} from './portal-format.ts';

const JOIN_MINUTES_BEFORE = 10;
/** The lessons of the first render; more than fit on a screen. */
const FIRST_LESSONS = 12;

interface Props {
  page: PortalLessons;
  now: Date;
  /** Missing in the tutor's preview, which has no buttons. */
  actions?: LessonActions;
}

interface LessonActions {
  publicId: string;
  onCancel: (lesson: PortalLesson) => void;
  onAskToMove: (lesson: PortalLesson) => void;
}

/** The upcoming lessons by day, as a family sees them. The tutor's preview shows the same. */
export function PortalLessonList({ page, now, actions }: Props) {
  const { lessons, tutorName, tutorTimeZone, students, hasMore } = page;
  const today = dateInZone(tutorTimeZone, now);
  // A slow phone shows the first lessons before it has rendered those of a whole year.
  const isFirstRender = useDeferredValue(false, true);
  const shown = isFirstRender ? lessons.slice(0, FIRST_LESSONS) : lessons;
  if (lessons.length === 0) {
    return (
      <p className={classes.empty}>
        {students.some(({ seesLessons }) => seesLessons)
          ? `No lessons are booked at the moment. New lessons will appear here as soon as ${tutorName} adds them.`
          : `${tutorName} hasn't shared any lessons with you. If you think you should see some, ask ${tutorName}.`}
      </p>
    );
  }
  return (
    <>
      {groupByDate(shown).map(([date, dayLessons]) => (
        <section key={date} className={classes.day}>
          <DayHeading date={date} today={today} />
          <ul>
            {dayLessons.map((lesson) => (
              <LessonRow key={seatKey(lesson)} {...{ lesson, page, now, actions }} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && !isFirstRender && (
        <p className={classes.more}>Later lessons will appear here nearer the time.</p>
      )}
    </>
  );
}

/** 'Today Tue 17 Nov', 'Tuesday 24 Nov' */
function DayHeading({ date, today }: { date: string; today: string }) {
  const name = dayName(date, today);
  return (
    <h2>
      {name ?? weekdayName(date)}{' '}
      <span>{name ? formatShortDate(date, today) : formatDayMonth(date, today)}</span>
    </h2>
  );
}

interface RowProps extends Pick<Props, 'page' | 'now'> {
  lesson: PortalLesson;
  actions: Props['actions'];
}

function LessonRow({ lesson, page, now, actions }: RowProps) {
  const { state, startTime, endTime, price } = lesson;
  const isCancelled = state === 'cancelled';
  const ownTime = formatOwnTime(lesson, page);
  return (
    <li className={classes.lesson} data-cancelled={isCancelled || undefined}>
      <p className={classes.time}>
        <b>{formatTime12(startTime)}</b> <span className={classes.hidden}>to </span>
        <span>{formatEnd(endTime)}</span>
      </p>
      <div className={classes.text}>
        <h3>{lesson.studentName}</h3>
        <p className={classes.subject}>{formatSubject(lesson)}</p>
        {ownTime && <p className={classes.small}>{ownTime}</p>}
        {price && !isCancelled && (
          <p className={classes.small}>{formatAmount(price.amount, price.currency)}</p>
        )}
        {state !== 'scheduled' && (
          <p className={classes.state}>{isCancelled ? 'Cancelled' : 'Completed'}</p>
        )}
        <MeetingLink lesson={lesson} now={now} />
        <Cancellation {...{ lesson, page, now, actions }} />
      </div>
    </li>
  );
}

function Cancellation({ lesson, page, now, actions }: RowProps) {
  const { studentName, date, startTime, cancellation, moveRequest } = lesson;
  const text = formatCancellation(lesson, page, now);
  const today = dateInZone(page.tutorTimeZone, now);
  const start = `${formatShortDate(date, today)} at ${formatTime12(startTime)}`;
  const Icon = cancellation?.fee === 0 ? IconCheck : IconClock;
  return (
    <>
      {text && (
        <p className={classes.cost}>
          <Icon size={16} stroke={1.8} aria-hidden />
          {text}
        </p>
      )}
      {moveRequest && <MoveRequestText {...{ moveRequest, page, today }} />}
      {actions && <MoveRequestActions {...{ lesson, page, today }} publicId={actions.publicId} />}
      {actions && (
        <div className={classes.actions}>
          {lesson.mayAskToMove && (
            <button
              type="button"
              className={classes.move}
              aria-label={`Ask to move ${studentName}'s lesson on ${start}`}
              onClick={() => actions.onAskToMove(lesson)}
            >
              Ask to move
            </button>
          )}
          {isCancellable(lesson) && (
            <button
              type="button"
              aria-label={`Cancel lesson for ${studentName} on ${start}`}
              onClick={() => actions.onCancel(lesson)}
            >
              Cancel lesson
            </button>
          )}
        </div>
      )}
    </>
  );
}

function MeetingLink({ lesson, now }: { lesson: PortalLesson; now: Date }) {
  const { place, state, startsAt, endsAt, studentName } = lesson;
  if (place === null || !isMeetingLink(place) || state !== 'scheduled') return null;
  const hasBegun = minutesBetween(now, new Date(startsAt)) < JOIN_MINUTES_BEFORE;
  const isOpen = hasBegun && now < new Date(endsAt);
  return (
    <a
      href={place}
      target="_blank"
      rel="noreferrer"
      className={isOpen ? classes.join : classes.link}
      aria-label={isOpen ? `Join ${studentName}'s lesson` : undefined}
    >
      {isOpen && <IconVideo size={20} stroke={1.8} />}
      {isOpen ? 'Join' : 'Meeting link'}
    </a>
  );
}
