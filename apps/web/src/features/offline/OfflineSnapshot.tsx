import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { formatList, initials, shortDate } from '../../lib/format.ts';
import { LessonTime } from '../lessons/shared/LessonRow.tsx';
import { Balances } from '../payments/shared/Balances.tsx';
import { SubjectAvatar } from '../subjects/shared/SubjectAvatar.tsx';
import classes from './OfflineSnapshot.module.css';

/** Only accounts with something open are kept; that nothing was open is said in words, never as an amount. */
export function OfflineBalances({ book }: { book: OfflineSnapshot }) {
  if (book.balances.length === 0) return <p className={classes.nothing}>Nothing was open.</p>;
  return (
    <ul className={classes.list}>
      {book.balances.map(({ firstNames, open }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: first names repeat, and the list never changes
        <li key={place} className={classes.account}>
          <b>{formatList(firstNames)}</b>
          <span className={classes.amounts}>
            <Balances balances={open} settled="" />
          </span>
        </li>
      ))}
    </ul>
  );
}

type OfflineSession = OfflineSnapshot['sessions'][number];

const statusLabels = {
  completed: 'Taught',
  cancelled: 'Cancelled',
  rescheduled: 'Moved',
  scheduled: '',
};

/** The days from today on that have lessons; what is behind us is of no use on the way. */
export function OfflineSchedule({ book, today }: { book: OfflineSnapshot; today: string }) {
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

function Row({ lesson }: { lesson: OfflineSession }) {
  const state = statusLabels[lesson.status];
  return (
    <li className={classes.row} data-status={lesson.status}>
      <LessonTime start={lesson.startTime} end={lesson.endTime} />
      <SubjectAvatar letters={initials(lesson.firstName)} tone={lesson.color} />
      <p className={classes.name}>
        <b>{lesson.firstName}</b> <small>{lesson.subject}</small>
      </p>
      {state && <span className={classes.state}>{state}</span>}
    </li>
  );
}
