import { isDate } from '@lessonbook/contract/dates';
import { DateField } from './DateField.tsx';
import classes from './DateRangeFields.module.css';

interface DateRange {
  from: string;
  to: string;
}

interface Props {
  days: DateRange;
  onChange: (days: DateRange) => void;
  today: string;
}

/** The first and the last day of a period. Choosing a first day after the last day also moves the last day. */
export function DateRangeFields({ days: { from, to }, onChange, today }: Props) {
  return (
    <div className={classes.days}>
      <DateField
        label="First day"
        value={from}
        onChange={(day) => onChange({ from: day, to: isDate(day) && to < day ? day : to })}
        today={today}
        placeholder="Pick a date"
      />
      <DateField
        label="Last day"
        value={to}
        onChange={(day) => onChange({ from, to: day })}
        today={today}
        earliest={from}
        placeholder="Pick a date"
      />
    </div>
  );
}
