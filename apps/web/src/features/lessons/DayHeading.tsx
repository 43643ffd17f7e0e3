import { formatDayAndMonth, weekdayName } from '../../lib/format.ts';
import classes from './DayHeading.module.css';

interface Props {
  title: string;
  date: string;
  today: string;
}

/** A small title above a large date: 'Upcoming Lessons', '14 November', 'Today'. */
export function DayHeading({ title, date, today }: Props) {
  return (
    <header className={classes.heading}>
      <p>{title}</p>
      <h2>{formatDayAndMonth(date)}</h2>
      <p>{date === today ? 'Today' : weekdayName(date)}</p>
    </header>
  );
}
