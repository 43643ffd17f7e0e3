import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { formatList, formatShortDate, initials } from '../../lib/format.ts';
import { LessonTime } from '../lessons/shared/LessonRow.tsx';
import { Balances } from '../payments/shared/Balances.tsx';
import { SubjectAvatar } from '../subjects/shared/SubjectAvatar.tsx';
import classes from './OfflineScheduleAndBalances.module.css';

/** The snapshot contains only accounts with a balance other than zero. */
export function OfflineBalances({ snapshot }: { snapshot: OfflineSnapshot }) {
  if (snapshot.balances.length === 0) return <p className={classes.empty}>Nothing was open.</p>;
  return (
    <ul className={classes.list}>
      {snapshot.balances.map(({ firstNames, amounts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: first names repeat, and the list never changes
        <li key={index} className={classes.account}>
          <b>{formatList(firstNames)}</b>
          <span className={classes.amounts}>
            <Balances balances={amounts} zeroLabel="" />
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

/** Days with lessons, starting from today. */
export function OfflineSchedule({ snapshot, today }: { snapshot: OfflineSnapshot; today: string }) {
  const upcoming = snapshot.sessions.filter(({ date }) => date >= today);
  const days = Map.groupBy(upcoming, ({ date }) => date);
  if (days.size === 0)
    return <p className={classes.empty}>No lessons up to {formatShortDate(snapshot.to, today)}.</p>;
  return [...days].map(([date, lessons]) => (
    <section key={date} className={classes.day} aria-labelledby={`day-${date}`}>
      <h3 id={`day-${date}`}>
        {date === today && 'Today, '}
        {formatShortDate(date, today)}
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
      <SubjectAvatar initials={initials(lesson.firstName)} color={lesson.color} />
      <p className={classes.name}>
        <b>{lesson.firstName}</b> <small>{lesson.subject}</small>
      </p>
      {state && <span className={classes.state}>{state}</span>}
    </li>
  );
}
