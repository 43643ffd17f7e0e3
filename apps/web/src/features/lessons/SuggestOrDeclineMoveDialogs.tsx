import { durationMinutes, isDate, isTime } from '@lessonbook/contract/dates';
import {
  type LessonStart,
  MAX_MOVE_SUGGESTIONS,
  type MoveRequest,
  SuggestTimesInput,
} from '@lessonbook/contract/move-requests';
import { optionalText } from '@lessonbook/contract/schema-fields';
import { Button, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { firstName, formatTime } from '../../lib/format.ts';
import { addMinutesToTime } from '../../lib/parse-input.ts';
import { type FormState, useForm } from '../../lib/use-form.ts';
import { formatStart, useDeclineMoveRequest, useSuggestTimes } from './move-requests-api.ts';
import { OverlapHint, useOverlaps } from './OverlapAndConflictWarnings.tsx';
import classes from './SessionModals.module.css';
import { TimeOffHint, useTimeOffDuring } from './TimeOffNotice.tsx';

interface FormProps {
  request: MoveRequest;
  today: string;
  onClose: () => void;
}

interface Props extends FormProps {
  activeDialog: 'suggest' | 'decline' | null;
}

export function SuggestOrDeclineMoveDialogs({ activeDialog, ...form }: Props) {
  return (
    <>
      <Dialog
        title="Suggest another time"
        opened={activeDialog === 'suggest'}
        onClose={form.onClose}
      >
        <SuggestForm {...form} />
      </Dialog>
      <ResponsiveModal
        title="Decline the request?"
        opened={activeDialog === 'decline'}
        onClose={form.onClose}
      >
        <DeclineForm {...form} />
      </ResponsiveModal>
    </>
  );
}

interface SuggestValues {
  suggestions: LessonStart[];
  message: string;
}

function SuggestForm({ request, today, onClose }: FormProps) {
  const suggest = useSuggestTimes(request.contactName);
  // Most families ask for another day at the same time.
  const emptyRow = { date: '', startTime: formatTime(request.startTime) };
  const form = useForm<SuggestValues>({
    schema: SuggestTimesInput,
    initialValues: { suggestions: [emptyRow], message: '' },
    mode: 'controlled',
  });
  const { values, errors, change } = form;
  const submit = form.onSubmit(
    ({ suggestions, message }) =>
      suggest.mutateAsync({
        params: { id: request.id },
        body: { suggestions, message: message.trim() || null },
      }),
    onClose,
  );
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel="Send suggestion"
      isBusy={suggest.isPending}
    >
      <p className={classes.hint}>
        {request.studentName}, {formatStart(request, today)}. The lesson stays as it is until{' '}
        {firstName(request.contactName)} chooses a time.
      </p>
      {values.suggestions.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled
        <SuggestionFields key={index} {...{ form, index, request, today }} />
      ))}
      {values.suggestions.length < MAX_MOVE_SUGGESTIONS && (
        <Button
          variant="light"
          onClick={() => change({ suggestions: [...values.suggestions, emptyRow] })}
        >
          Add another time
        </Button>
      )}
      <MessageField
        label={`Message to ${firstName(request.contactName)} (optional)`}
        value={values.message}
        onChange={(message) => change({ message })}
        error={errors.message}
      />
    </DialogForm>
  );
}

interface SuggestionProps extends Omit<FormProps, 'onClose'> {
  form: FormState<SuggestValues>;
  index: number;
}

function SuggestionFields({ form, index, request, today }: SuggestionProps) {
  const { values, errors, change } = form;
  const start = values.suggestions[index] ?? { date: '', startTime: '' };
  const minutes = durationMinutes(request.startTime, request.endTime);
  const isComplete = isDate(start.date) && isTime(start.startTime);
  const endTime = isComplete ? addMinutesToTime(start.startTime, minutes) : start.startTime;
  const slot = { ...start, endTime };
  const overlaps = useOverlaps({ id: request.sessionId }, slot);
  const timeOff = useTimeOffDuring(slot);
  const number = values.suggestions.length > 1 ? ` ${index + 1}` : '';
  const changeRow = (fields: Partial<LessonStart>) =>
    change({ suggestions: values.suggestions.with(index, { ...start, ...fields }) });
  return (
    <div className={classes.form}>
      <FieldPair alwaysSideBySide>
        <DateField
          label={`Date${number}`}
          value={start.date}
          onChange={(date) => changeRow({ date })}
          today={today}
          earliest={today}
          placeholder="Pick a date"
          error={errors[`suggestions.${index}.date`]}
          path={`suggestions.${index}.date`}
        />
        <TimeField
          label={`Start${number}`}
          value={start.startTime}
          onChange={(startTime) => changeRow({ startTime })}
          error={errors[`suggestions.${index}.startTime`]}
          path={`suggestions.${index}.startTime`}
        />
      </FieldPair>
      {isComplete && <OverlapHint overlaps={overlaps} />}
      {isComplete && <TimeOffHint timeOff={timeOff} />}
      {values.suggestions.length > 1 && (
        <Button
          variant="subtle"
          size="compact-md"
          justify="start"
          aria-label={`Remove time${number}`}
          onClick={() => change({ suggestions: values.suggestions.toSpliced(index, 1) })}
        >
          Remove
        </Button>
      )}
    </div>
  );
}

const DeclineInput = z.object({ message: optionalText(500) });

function DeclineForm({ request, today, onClose }: FormProps) {
  const decline = useDeclineMoveRequest();
  const { values, errors, change, onSubmit } = useForm({
    schema: DeclineInput,
    initialValues: { message: '' },
    mode: 'controlled',
  });
  const submit = onSubmit(
    ({ message }) =>
      decline.mutateAsync({
        params: { id: request.id },
        body: { message: message.trim() || null },
      }),
    onClose,
  );
  return (
    <div className={classes.form}>
      <p className={classes.hint}>
        {request.studentName}'s lesson stays on {formatStart(request, today)}.
      </p>
      <MessageField
        label={`Message to ${firstName(request.contactName)} (optional)`}
        value={values.message}
        onChange={(message) => change({ message })}
        error={errors.message}
      />
      <ModalActions
        cancelLabel="Go back"
        onCancel={onClose}
        confirmLabel="Decline request"
        busyLabel="Declining..."
        isBusy={decline.isPending}
        onConfirm={() => submit()}
      />
    </div>
  );
}

interface MessageProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error: ReactNode;
}

const MessageField = ({ label, value, onChange, error }: MessageProps) => (
  <Textarea
    label={label}
    size="md"
    rows={3}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
    data-path="message"
  />
);
