import { monthDay, weekday } from '../../lib/format.ts';
import classes from './DayHeading.module.css';

interface Props {
  over: string;
  date: string;
  today: string;
}

/** Small what, large when: 'Upcoming Lessons', 'November 14', 'Today'. */
export function DayHeading({ over, date, today }: Props) {
  return (
    <header className={classes.heading}>
      <p>{over}</p>
      <h2>{monthDay(date)}</h2>
      <p>{date === today ? 'Today' : weekday(date)}</p>
    </header>
  );
}
