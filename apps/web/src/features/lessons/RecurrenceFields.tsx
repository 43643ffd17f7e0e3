import { isDate } from '@lessonbook/contract/dates';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import { Select } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useDeferredValue } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/Form.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import classes from './LessonFields.module.css';
import type { LessonFormState } from './shared/lesson-form.ts';
import { formatRecurrencePreview } from './shared/lesson-form.ts';

interface Props {
  form: LessonFormState;
  today: string;
  isNew: boolean;
}

const patterns: { value: RecurrencePattern; label: string }[] = [
  { value: 'weekly', label: 'Weekly' },
  { value: 'biweekly', label: 'Biweekly' },
  { value: 'monthly', label: 'Monthly' },
];

/** A checkbox that opens the recurrence fields, with a preview of the next dates. */
export function RecurrenceFields({ form, today, isNew }: Props) {
  const { values, change } = form;
  const { isRecurring, date, recurringEndDate } = values;
  const canPreview = isDate(date) && (recurringEndDate === '' || isDate(recurringEndDate));
  // Deferred, so that the checkbox updates before the fields render.
  const isOpen = useDeferredValue(isRecurring);
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
          {isNew && isDate(date) && date < today && <PastLessonsField form={form} />}
          {canPreview && (
            <p className={classes.preview} role="status">
              <IconRepeat size={17} stroke={2} aria-hidden="true" />
              {formatRecurrencePreview(values, today)}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function PatternFields({ form, today }: Omit<Props, 'isNew'>) {
  const { values, errors, change } = form;
  return (
    <FieldPair>
      <Select
        label="Repeat"
        data={patterns}
        value={values.recurringPattern}
        onChange={(pattern) => change({ recurringPattern: pattern ?? 'weekly' })}
        error={errors.recurringPattern}
        data-path="recurringPattern"
      />
      <DateField
        label="End Date"
        placeholder="Set end date"
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
      legend="This lesson begins in the past"
      options={[
        { value: 'skip', label: 'Start from today' },
        { value: 'taught', label: 'Count earlier lessons as taught and settled' },
      ]}
      chosen={form.values.pastSessions}
      onChoose={(pastSessions) => form.change({ pastSessions })}
    />
  );
}
