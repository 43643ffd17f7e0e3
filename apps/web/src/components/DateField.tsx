import '@mantine/dates/styles.layer.css';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { pickerDate } from '../lib/format.ts';
import classes from './DateField.module.css';

interface Props {
  label: string;
  /** `yyyy-MM-dd`, or '' for none. */
  value: string;
  onChange: (date: string) => void;
  /** The tutor's, which need not be the browser's. */
  today: string;
  placeholder: string;
  /** Days before it cannot be picked. */
  earliest?: string;
  required?: boolean;
  clearable?: boolean;
  error?: ReactNode;
  /** The field's name in its form, by which it is found when it is wrong. */
  path?: string;
}

/** A day from a calendar whose weeks start on Monday, shown as 'Nov 14, 2026'. */
export function DateField(props: Props) {
  const { label, value, onChange, today, placeholder, earliest, path } = props;
  const { required = false, clearable = false, error } = props;
  // One for field and calendar: the calendar is named after the field.
  const id = useId();
  return (
    <DatePickerInput
      id={id}
      label={label}
      // The label alone would hide the date from whoever cannot see it.
      aria-label={`${label}: ${value ? pickerDate(value) : placeholder}`}
      value={value || null}
      onChange={(date) => onChange(date ?? '')}
      valueFormat="MMM D, YYYY"
      placeholder={placeholder}
      defaultDate={value || latest(today, earliest)}
      {...(earliest && { minDate: earliest })}
      getDayProps={(date) => (date === today ? { 'aria-current': 'date' } : {})}
      firstDayOfWeek={1}
      size="md"
      withAsterisk={required}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      rightSection={<IconCalendar size={18} stroke={1.8} />}
      rightSectionPointerEvents={clearable && value ? 'all' : 'none'}
      popoverProps={{
        id,
        returnFocus: true,
        shadow: 'md',
        radius: 'lg',
        classNames: { dropdown: classes.dropdown ?? '' },
      }}
      classNames={{ day: classes.day ?? '', weekday: classes.weekday ?? '' }}
      ariaLabels={words}
      error={error}
      data-path={path}
    />
  );
}

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
