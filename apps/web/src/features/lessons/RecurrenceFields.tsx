import { isDate } from '@lessonbook/contract/dates';
import { fitPattern, type RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { TermCalendar } from '@lessonbook/contract/term-calendars';
import { Select } from '@mantine/core';
import { IconBeach, IconRepeat, IconSchool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { formatPickerDate, formatShortDate } from '../../lib/format.ts';
import { studentsQuery } from '../students/api.ts';
import {
  datesOutsideTerms,
  formatRecurrencePreview,
  lastTermDay,
  skippedDates,
  weekdayOfMonth,
} from './calendar-and-series-dates.ts';
import classes from './LessonFields.module.css';
import type { LessonFormState } from './shared/lesson-form.ts';
import { termCalendarsQuery, toCalendarOptions } from './shared/term-calendars-api.ts';
import { timeOffQuery } from './time-off-api.ts';
import { timeOffDuring, timeOffLabel } from './time-off-in-calendar.ts';

interface Props {
  form: LessonFormState;
  today: string;
  isNew: boolean;
}

/** A lesson on the last Tuesday of its month can also repeat on the last Tuesday. */
function patternOptions(date: string): { value: RecurrencePattern; label: string }[] {
  const byWeekday = (['monthly_weekday', 'monthly_last_weekday'] as const).filter(
    (pattern) => isDate(date) && fitPattern(pattern, date) === pattern,
  );
  return [
    { value: 'weekly', label: 'Weekly' },
    { value: 'biweekly', label: 'Biweekly' },
    { value: 'monthly', label: 'Monthly' },
    ...byWeekday.map((value) => ({ value, label: `Monthly on ${weekdayOfMonth(value, date)}` })),
  ];
}

/** A checkbox that opens the recurrence fields, with a preview of the next dates. */
export function RecurrenceFields({ form, today, isNew }: Props) {
  const { values, change } = form;
  const { isRecurring, date, recurringEndDate } = values;
  const canPreview = isDate(date) && (recurringEndDate === '' || isDate(recurringEndDate));
  // Deferred, so that the checkbox updates before the fields render.
  const isOpen = useDeferredValue(isRecurring);
  const { data: calendars = [] } = useQuery({ ...termCalendarsQuery, enabled: isOpen });
  const calendar = calendars.find(({ id }) => String(id) === values.termCalendarId);
  return (
    <div className={classes.repeat} data-open={isOpen || undefined}>
      <CheckboxField
        label="Recurring Lesson"
        hint="Repeats according to pattern"
        checked={isRecurring}
        onChange={(checked) => change({ isRecurring: checked })}
      />
      {isOpen && (
        <>
          <PatternFields form={form} today={today} />
          {calendars.length > 0 && <TermTimeFields form={form} calendars={calendars} />}
          {isNew && isDate(date) && date < today && <PastLessonsField form={form} />}
          {canPreview && (
            <p className={classes.preview} role="status">
              <IconRepeat size={17} stroke={2} aria-hidden="true" />
              {formatRecurrencePreview(values, today, calendar?.terms)}
            </p>
          )}
          {canPreview && calendar && (
            <DatesOutsideTerms form={form} calendar={calendar} today={today} />
          )}
          {canPreview && isNew && <SkippedDates form={form} today={today} />}
        </>
      )}
    </div>
  );
}

interface TermTimeProps {
  form: LessonFormState;
  calendars: readonly TermCalendar[];
}

/** Suggests the student's calendar or, if there is none, the first one. */
function TermTimeFields({ form: { values, errors, change }, calendars }: TermTimeProps) {
  const { data: students = [] } = useQuery(studentsQuery);
  const { termCalendarId } = values;
  const student = students.find(({ id }) => String(id) === values.studentId);
  const studentCalendar = calendars.find(({ id }) => id === student?.termCalendarId);
  const suggested = String((studentCalendar ?? calendars[0])?.id ?? '');
  const [only] = calendars;
  return (
    <>
      <CheckboxField
        label="Only in term time"
        hint={
          calendars.length === 1 && only
            ? `Skips dates outside term time (${only.name})`
            : 'Skips dates outside the school terms'
        }
        checked={termCalendarId !== ''}
        onChange={(checked) => change({ termCalendarId: checked ? suggested : '' })}
      />
      {termCalendarId !== '' && calendars.length > 1 && (
        <Select
          label="School terms"
          data={toCalendarOptions(calendars)}
          value={termCalendarId}
          onChange={(id) => change({ termCalendarId: id ?? suggested })}
          allowDeselect={false}
          data-path="termCalendarId"
        />
      )}
      {errors.termCalendarId && <p role="alert">{errors.termCalendarId}</p>}
    </>
  );
}

const MAX_SHOWN_DATES = 3;

function DatesOutsideTerms({
  form: { values },
  calendar: { terms },
  today,
}: Omit<Props, 'isNew'> & { calendar: TermCalendar }) {
  const dates = datesOutsideTerms(values, terms, today);
  const shown = dates.slice(0, MAX_SHOWN_DATES).map((date) => formatShortDate(date, today));
  const more = dates.length > shown.length ? ` and ${dates.length - shown.length} more` : '';
  return (
    <p className={classes.preview} role="status">
      <IconSchool size={17} stroke={2} aria-hidden="true" />
      {dates.length > 0 && `Not in term time: ${shown.join(', ')}${more}. `}
      These terms end on {formatShortDate(lastTermDay(terms), today)}. More lessons will be added
      when you add later terms.
    </p>
  );
}

/** The dates that a new series skips because the tutor has time off. */
function SkippedDates({ form: { values }, today }: Omit<Props, 'isNew'>) {
  const { data: timeOff = [] } = useQuery(timeOffQuery);
  const dates = skippedDates(values, timeOff, today);
  const [first] = dates;
  if (first === undefined) return null;
  const [entry] = timeOffDuring(timeOff, { ...values, date: first });
  const reason = entry ? ` (${timeOffLabel(entry)})` : '';
  return (
    <p className={classes.preview} role="status">
      <IconBeach size={17} stroke={2} aria-hidden="true" />
      {dates.length === 1
        ? `Skips your time off: ${formatShortDate(first, today)}${reason}`
        : `Skips your time off: ${dates.length} lessons, the first on ${formatShortDate(first, today)}${reason}`}
    </p>
  );
}

function PatternFields({ form, today }: Omit<Props, 'isNew'>) {
  const { values, errors, change } = form;
  return (
    <FieldPair>
      <Select
        label="Repeat"
        data={patternOptions(values.date)}
        value={values.recurringPattern}
        onChange={(pattern) => change({ recurringPattern: pattern ?? 'weekly' })}
        error={errors.recurringPattern}
        data-path="recurringPattern"
      />
      <DateField
        label="End Date"
        placeholder="Set end date"
        format={formatPickerDate}
        today={today}
        earliest={isDate(values.date) && values.date > today ? values.date : today}
        value={values.recurringEndDate}
        onChange={(recurringEndDate) => change({ recurringEndDate })}
        clearable
        error={errors.recurringEndDate}
        path="recurringEndDate"
      />
    </FieldPair>
  );
}

/** For a start date in the past, for example if a tutor moves to Lessonbook mid-term. */
function PastLessonsField({ form }: { form: LessonFormState }) {
  return (
    <RadioList
      legend="This lesson starts in the past"
      options={[
        { value: 'skip', label: 'Start from today' },
        { value: 'unpaid', label: 'Mark earlier lessons as completed, not yet paid' },
        { value: 'taught', label: 'Mark earlier lessons as completed and paid' },
      ]}
      chosen={form.values.pastSessions}
      onChoose={(pastSessions) => form.change({ pastSessions })}
    />
  );
}
