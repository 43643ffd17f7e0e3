import { isDate } from '@lessonbook/contract/dates';
import { DateField } from '../../components/DateField.tsx';
import type { DateRange } from './invoice-period.ts';
import classes from './PeriodFields.module.css';

interface Props {
  days: DateRange;
  onChange: (days: DateRange) => void;
  today: string;
}

export function CustomDateRange({ days: { from, to }, onChange, today }: Props) {
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
