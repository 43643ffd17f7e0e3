import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import classes from './DateField.module.css';

export interface DateCalendarProps {
  /** `yyyy-MM-dd`, or '' for none. */
  value: string;
  onPick: (date: string) => void;
  today: string;
  /** Days before it cannot be picked. */
  earliest?: string | undefined;
}

/** The month below a date field, with weeks that start on Monday. Heavy, so it follows the field in a chunk of its own. */
export function DateCalendar({ value, onPick, today, earliest }: DateCalendarProps) {
  return (
    <DatePicker
      value={value || null}
      onChange={(date) => onPick(date ?? '')}
      defaultDate={value || latest(today, earliest)}
      {...(earliest && { minDate: earliest })}
      getDayProps={(date) => (date === today ? { 'aria-current': 'date' } : {})}
      firstDayOfWeek={1}
      size="md"
      classNames={{ day: classes.day ?? '', weekday: classes.weekday ?? '' }}
      ariaLabels={words}
      {...insideField}
    />
  );
}

/** As in the library's own date field: Escape closes the calendar alone, and not the dialog around the field too. */
const insideField = { __stopPropagation: true };

const words = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
};

const latest = (today: string, earliest: string | undefined): string =>
  earliest && earliest > today ? earliest : today;
