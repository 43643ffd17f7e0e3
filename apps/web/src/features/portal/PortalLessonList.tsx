import { isMeetingLink } from '@lessonbook/contract/place';
import type { PortalLesson, PortalLessons } from '@lessonbook/contract/portal';
import { dateInZone, minutesBetween } from '@lessonbook/contract/time';
import { IconVideo } from '@tabler/icons-react';
import {
  formatAmount,
  formatDayMonth,
  formatRelativeDate,
  formatShortDate,
  formatTime12,
  weekdayName,
} from '../../lib/format.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';
import classes from './PortalLessonList.module.css';

const JOIN_MINUTES_BEFORE = 10;

interface Props {
  page: PortalLessons;
  now: Date;
}

/** The coming lessons by day, as a family sees them. The tutor's preview shows the same. */
export function PortalLessonList({ page, now }: Props) {
  const { lessons, tutorName, tutorTimeZone, students, hasMore } = page;
  const today = dateInZone(tutorTimeZone, now);
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
      {groupByDate(lessons).map(([date, ofDay]) => (
        <section key={date} className={classes.day}>
          <DayHeading date={date} today={today} />
          <ul>
            {ofDay.map((lesson) => (
              <LessonRow
                key={`${lesson.sessionId}-${lesson.studentId}`}
                {...{ lesson, page, now }}
              />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && <p className={classes.more}>Later lessons will appear here nearer the time.</p>}
    </>
  );
}

function groupByDate(lessons: readonly PortalLesson[]): [date: string, lessons: PortalLesson[]][] {
  const days = new Map<string, PortalLesson[]>();
  for (const lesson of lessons.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt)))
    days.set(lesson.date, [...(days.get(lesson.date) ?? []), lesson]);
  return [...days];
}

/** 'Today Tue 17 Nov', 'Tuesday 24 Nov' */
function DayHeading({ date, today }: { date: string; today: string }) {
  const relative = formatRelativeDate(date, today);
  const name = { today: 'Today', tomorrow: 'Tomorrow', yesterday: 'Yesterday' }[relative];
  return (
    <h2>
      {name ?? weekdayName(date)}{' '}
      <span>{name ? formatShortDate(date, today) : formatDayMonth(date, today)}</span>
    </h2>
  );
}

interface RowProps extends Props {
  lesson: PortalLesson;
}

function LessonRow({ lesson, page, now }: RowProps) {
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
      </div>
    </li>
  );
}

/** A lesson until midnight ends in the last minute of its day. */
const formatEnd = (time: string): string =>
  time.startsWith('23:59') ? 'midnight' : formatTime12(time);

/** 'Maths, group lesson, at Ada's' */
function formatSubject({ subjectName, isGroup, place, state }: PortalLesson): string {
  const shownPlace = state === 'cancelled' ? null : isMeetingLink(place) ? 'online' : place;
  return [subjectName, isGroup && 'group lesson', shownPlace].filter(Boolean).join(', ');
}

/** 'London time (8:30pm your time)'; null if both clocks show the same time. */
function formatOwnTime(lesson: PortalLesson, page: PortalLessons): string | null {
  const { timeZone, tutorTimeZone } = page;
  const date = dateInZone(timeZone, new Date(lesson.startsAt));
  const time = formatTimeAt(lesson.startsAt, { timeZone, today: date });
  if (date === lesson.date && time === lesson.startTime.slice(0, 5)) return null;
  const city = tutorTimeZone.split('/').at(-1)?.replaceAll('_', ' ');
  const day = date === lesson.date ? '' : ` on ${formatShortDate(date, lesson.date)}`;
  return `${city} time (${formatTime12(time)}${day} your time)`;
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
