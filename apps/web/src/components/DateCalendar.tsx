import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import classes from './DateField.module.css';

export interface DateCalendarProps {
  /** `yyyy-MM-dd`, or '' for none. */
  value: string;
  onPick: (date: string) => void;
  today: string;
  /** Earlier days cannot be selected. */
  earliest?: string | undefined;
}

/** The month calendar below a date field. Weeks start on Monday. In a separate chunk because of its size. */
export function DateCalendar({ value, onPick, today, earliest }: DateCalendarProps) {
  return (
    <DatePicker
      value={value || null}
      onChange={(date) => onPick(date ?? '')}
      defaultDate={value || initialDate(today, earliest)}
      {...(earliest && { minDate: earliest })}
      getDayProps={(date) => (date === today ? { 'aria-current': 'date' } : {})}
      firstDayOfWeek={1}
      size="md"
      classNames={{ day: classes.day ?? '', weekday: classes.weekday ?? '' }}
      ariaLabels={labels}
      {...stopEscapePropagation}
    />
  );
}

/** Escape closes only the calendar and not the dialog around it, as in Mantine's own date field. */
const stopEscapePropagation = { __stopPropagation: true };

const labels = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
};

const initialDate = (today: string, earliest: string | undefined): string =>
  earliest && earliest > today ? earliest : today;
