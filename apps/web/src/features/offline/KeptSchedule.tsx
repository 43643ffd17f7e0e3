import type { OfflineBook } from '@lessonbook/contract/offline';
import { LessonTime } from '../../components/LessonRow.tsx';
import { ToneSquare } from '../../components/ToneSquare.tsx';
import { initials, shortDate } from '../../lib/format.ts';
import classes from './Kept.module.css';

type KeptLesson = OfflineBook['sessions'][number];

const states = { completed: 'Taught', cancelled: 'Cancelled', rescheduled: 'Moved', scheduled: '' };

/** The days from today on that have lessons; what is behind us is of no use on the way. */
export function KeptSchedule({ book, today }: { book: OfflineBook; today: string }) {
  const coming = book.sessions.filter(({ date }) => date >= today);
  const days = Map.groupBy(coming, ({ date }) => date);
  if (days.size === 0)
    return <p className={classes.nothing}>No lessons up to {shortDate(book.to, today)}.</p>;
  return [...days].map(([date, lessons]) => (
    <section key={date} className={classes.day} aria-labelledby={`day-${date}`}>
      <h3 id={`day-${date}`}>
        {date === today && 'Today, '}
        {shortDate(date, today)}
      </h3>
      <ul className={classes.list}>
        {lessons.map((lesson) => (
          <Row key={`${lesson.startTime} ${lesson.endTime} ${lesson.firstName}`} lesson={lesson} />
        ))}
      </ul>
    </section>
  ));
}

function Row({ lesson }: { lesson: KeptLesson }) {
  const state = states[lesson.status];
  return (
    <li className={classes.row} data-status={lesson.status}>
      <LessonTime start={lesson.startTime} end={lesson.endTime} />
      <ToneSquare letters={initials(lesson.firstName)} tone={lesson.tone} />
      <p className={classes.name}>
        <b>{lesson.firstName}</b> <small>{lesson.subject}</small>
      </p>
      {state && <span className={classes.state}>{state}</span>}
    </li>
  );
}
