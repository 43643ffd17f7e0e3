import { SUBJECT_CURRENCIES, type Subject, SubjectInput } from '@lessonbook/contract/subjects';
import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { parseAmount } from '../../lib/parse-input.ts';
import { useCreateSubject } from '../subjects/api.ts';
import classes from './LessonFields.module.css';
import type { LessonFormValues } from './shared/lesson-form.ts';

interface NewSubjectProps {
  name: string;
  lesson: Pick<LessonFormValues, 'fee' | 'currency' | 'isFeeTyped'>;
  onAdded: (subject: Subject) => void;
  onCancel: () => void;
}

/** Asks for the rate of a subject that is added in the dialog; a fee that was typed for the lesson is suggested. */
export function NewSubjectFields({ name, lesson, onAdded, onCancel }: NewSubjectProps) {
  const add = useCreateSubject();
  const [rate, setRate] = useState(lesson.isFeeTyped ? lesson.fee : '');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const currency = SUBJECT_CURRENCIES.find((one) => one === lesson.currency) ?? 'GBP';

  function save() {
    const input = { name, defaultFee: parseAmount(rate) ?? 0, currency };
    const issue = SubjectInput.safeParse(input).error?.issues[0];
    if (issue) return setError(rate.trim() === '' ? 'Please enter a default fee' : issue.message);
    add.mutate(input, { onSuccess: onAdded });
  }

  return (
    <div className={classes.newSubject}>
      <TextInput
        label={`Default fee for ${name} (${currency})`}
        description="Used for new lessons. You can change the fee for each lesson."
        inputMode="decimal"
        autoComplete="off"
        ref={field}
        value={rate}
        onChange={(event) => setRate(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Otherwise Enter would submit the lesson.
          event.preventDefault();
          save();
        }}
        error={error}
      />
      <div className={classes.newSubjectActions}>
        <Button variant="light" onClick={save} disabled={add.isPending}>
          {add.isPending ? 'Adding...' : 'Add subject'}
        </Button>
        <Button variant="subtle" onClick={onCancel} disabled={add.isPending}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
