import { addDaysToDate, isDate } from '@lessonbook/contract/dates';
import {
  type DayAction,
  type DayChange,
  DayChangePreviewInput,
} from '@lessonbook/contract/move-online-or-cancel-days';
import { Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { pluralize } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useSubmitAfterPreview } from '../../lib/use-submit-after-preview.ts';
import { ChangedDaysList } from './ChangedDaysList.tsx';
import { DayChangeLessons, DayChangeNotices } from './DayChangePreview.tsx';
import { dayChangePreviewQuery, dayChangesQuery, useChangeDays } from './day-changes-api.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  today: string;
  day: string;
  /** Adds days to this change. */
  extended?: DayChange | null;
}

/** Moves the lessons of a day, or of several days, online or cancels them. */
export function DayChangeDialog({ opened, onClose, extended: initial = null, ...props }: Props) {
  const [chosen, setChosen] = useState<DayChange | null>(null);
  const extended = chosen ?? initial;
  function close() {
    setChosen(null);
    onClose();
  }
  return (
    <Dialog title={extended ? 'Add days' : 'Change this day'} opened={opened} onClose={close}>
      <DayChangeForm
        key={extended?.id ?? 'new'}
        {...props}
        extended={extended}
        onExtend={setChosen}
        onClose={close}
      />
    </Dialog>
  );
}

interface FormValues {
  action: DayAction;
  fromDate: string;
  toDate: string;
  /** Null until the tutor has decided. */
  usesGoogleMeet: boolean | null;
  link: string | null;
  keptIds: readonly number[];
  note: string;
  notify: boolean;
}

type PreviewInput = z.input<typeof DayChangePreviewInput>;

const FormSchema = z.pipe(
  z.transform<FormValues, PreviewInput>(
    ({ keptIds: _, notify: __, usesGoogleMeet, ...values }) => ({
      ...values,
      usesGoogleMeet: usesGoogleMeet ?? false,
    }),
  ),
  DayChangePreviewInput,
);

const listActions = (isSingleDay: boolean) =>
  [
    { value: 'online', label: 'Move online', hint: 'Same time and price' },
    {
      value: 'cancel',
      label: 'Cancel, free of charge',
      hint: isSingleDay ? 'The day becomes time off' : 'These days become time off',
    },
  ] as const;

const TYPING_PAUSE_MS = 400;

interface FormProps extends Pick<Props, 'today' | 'day'> {
  extended: DayChange | null;
  onExtend: (change: DayChange) => void;
  onClose: () => void;
}

function DayChangeForm({ today, day, extended, onExtend, onClose }: FormProps) {
  const firstDay = extended ? addDaysToDate(extended.toDate, 1) : day < today ? today : day;
  const { values, errors, change, onSubmit, keyFor } = useForm<FormValues>({
    schema: FormSchema,
    initialValues: {
      action: extended?.action ?? 'online',
      fromDate: firstDay,
      toDate: firstDay,
      usesGoogleMeet: null,
      link: null,
      keptIds: [],
      note: '',
      notify: true,
    },
    mode: 'controlled',
  });
  const save = useChangeDays();
  const current = useQuery({ ...dayChangesQuery, enabled: extended === null });
  const [typedLink] = useDebouncedValue(values.link, TYPING_PAUSE_MS);
  const [typedNote] = useDebouncedValue(values.note, TYPING_PAUSE_MS);
  const isValid = FormSchema.safeParse(values).success;

  const { action, fromDate, toDate, keptIds } = values;
  const days = { action, fromDate, toDate, ...(extended && { extendsId: extended.id }) };
  const isLinkValid = FormSchema.safeParse({ ...values, link: typedLink }).success;
  const preview = useQuery({
    ...dayChangePreviewQuery({
      ...days,
      keptSessionIds: [...keptIds],
      ...(values.usesGoogleMeet !== null && { usesGoogleMeet: values.usesGoogleMeet }),
      link: isLinkValid ? typedLink : '',
      note: typedNote,
    }),
    enabled: isValid,
    placeholderData: (previous) => previous,
    retry: false,
  });
  const { data } = preview;
  const changed = (data?.sessions ?? []).filter(({ id }) => !keptIds.includes(id));
  const usesGoogleMeet = values.usesGoogleMeet ?? data?.offersGoogleMeet ?? false;
  const link = values.link ?? data?.suggestedLink ?? '';
  const needsLink = action === 'online' && data?.needsLink === true;
  const submit = onSubmit(({ note, notify }) => {
    const body = {
      ...days,
      sessionIds: changed.map(({ id }) => id),
      ...(needsLink && (usesGoogleMeet ? { usesGoogleMeet } : { link })),
      ...(note.trim() && { note }),
      notify,
    };
    return save.mutateAsync({ body, idempotencyKey: keyFor(body) });
  }, onClose);
  const submission = useSubmitAfterPreview({
    isValid,
    preview,
    describe: ({ sessions, notices }) => [
      sessions.map(({ id }) => id),
      notices.map(({ address }) => address),
    ],
    canSubmit: changed.length > 0,
    submit,
  });

  const onDay = current.data?.filter((each) => each.fromDate <= day && day <= each.toDate) ?? [];
  return (
    <DialogForm
      onSubmit={submission.onSubmit}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel={submitLabel(action, changed.length)}
      isBusy={save.isPending || submission.isWaiting}
    >
      {onDay.length > 0 && <ChangedDaysList changes={onDay} today={today} onExtend={onExtend} />}
      {!extended && (
        <RadioList
          legend="What happens to the lessons?"
          options={listActions(fromDate === toDate)}
          chosen={action}
          onChoose={(chosen) => change({ action: chosen, keptIds: [] })}
        />
      )}
      <FieldPair alwaysSideBySide>
        {!extended && (
          <DateField
            label="First day"
            value={fromDate}
            onChange={(date) =>
              change({
                fromDate: date,
                keptIds: [],
                ...(isDate(date) && toDate < date && { toDate: date }),
              })
            }
            today={today}
            earliest={today}
            placeholder="Pick a date"
            error={errors.fromDate}
            path="fromDate"
          />
        )}
        <DateField
          label="Last day"
          value={toDate}
          onChange={(date) => change({ toDate: date, keptIds: [] })}
          today={today}
          earliest={fromDate}
          placeholder="Pick a date"
          error={errors.toDate}
          path="toDate"
        />
      </FieldPair>
      {needsLink && data.offersGoogleMeet && (
        <CheckboxField
          label="Use Google Meet"
          hint="A link is created with each event in your Google calendar."
          checked={usesGoogleMeet}
          onChange={(checked) => change({ usesGoogleMeet: checked })}
        />
      )}
      {needsLink && !usesGoogleMeet && (
        <TextInput
          label="Link for the lessons"
          description="Lessons with their own link use that one."
          placeholder="https://"
          inputMode="url"
          value={link}
          onChange={(event) => change({ link: event.currentTarget.value })}
          error={errors.link}
          data-path="link"
        />
      )}
      {preview.isError ? (
        <ImpactNotice>{preview.error.message}</ImpactNotice>
      ) : (
        <DayChangeLessons
          preview={data}
          action={action}
          keptIds={new Set(keptIds)}
          today={today}
          onKeptIdsChange={(kept) => change({ keptIds: [...kept] })}
        />
      )}
      <CheckboxField
        label="Let the families know"
        hint="Each family gets one message, about its own lessons only."
        checked={values.notify}
        onChange={(notify) => change({ notify })}
      />
      {values.notify && (
        <>
          <Textarea
            label="Message to families (optional)"
            size="md"
            placeholder="E.g. The roads are icy today."
            rows={2}
            maxLength={500}
            value={values.note}
            onChange={(event) => change({ note: event.currentTarget.value })}
            error={errors.note}
            data-path="note"
          />
          {data && <DayChangeNotices notices={data.notices} />}
        </>
      )}
    </DialogForm>
  );
}

function submitLabel(action: DayAction, count: number): string {
  if (count === 0) return action === 'online' ? 'Move online' : 'Cancel lessons';
  const lessons = pluralize(count, 'lesson');
  return action === 'online' ? `Move ${lessons} online` : `Cancel ${lessons}`;
}
