import {
  type Term,
  type TermCalendar,
  type TermCalendarChange,
  TermCalendarInput,
  termsForNextYear,
} from '@lessonbook/contract/term-calendars';
import { Button, TextInput } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair, FieldSection } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { formatShortDate, pluralize } from '../../lib/format.ts';
import { type FormState, useForm } from '../../lib/use-form.ts';
import { useSubmitAfterPreview } from '../../lib/use-submit-after-preview.ts';
import { OverlapList } from './OverlapAndConflictWarnings.tsx';
import {
  formatTermChange,
  termCalendarPreviewQuery,
  useCreateTermCalendar,
  useUpdateTermCalendar,
} from './shared/term-calendars-api.ts';

interface Props {
  /** Null for a new calendar. */
  calendar: TermCalendar | null;
  opened: boolean;
  onClose: () => void;
  today: string;
}

export function TermCalendarDialog({ calendar, opened, onClose, today }: Props) {
  return (
    <Dialog
      title={calendar ? 'Edit school terms' : 'Add school terms'}
      opened={opened}
      onClose={onClose}
    >
      <TermCalendarForm calendar={calendar} onClose={onClose} today={today} />
    </Dialog>
  );
}

interface FormValues {
  name: string;
  terms: Term[];
}

const EMPTY_TERM: Term = { name: '', fromDate: '', toDate: '' };

/** If lessons follow the calendar, the form shows which of them a change adds and cancels before the tutor can save. */
function TermCalendarForm({ calendar, onClose, today }: Omit<Props, 'opened'>) {
  const form = useForm<FormValues>({
    schema: TermCalendarInput,
    initialValues: { name: calendar?.name ?? '', terms: calendar?.terms ?? [EMPTY_TERM] },
    mode: 'controlled',
  });
  const { values, errors, change, onSubmit, keyFor } = form;
  const create = useCreateTermCalendar();
  const update = useUpdateTermCalendar();
  const isValid = TermCalendarInput.safeParse(values).success;
  const needsPreview = calendar !== null && calendar.lessons > 0;
  const preview = useQuery({
    ...termCalendarPreviewQuery(calendar?.id ?? 0, values),
    enabled: needsPreview && isValid,
    placeholderData: (previous) => previous,
  });
  const removed = needsPreview ? countRemoved(preview.data) : 0;

  const save = onSubmit(async (body) => {
    if (calendar) await update.mutateAsync({ before: calendar, body });
    else await create.mutateAsync({ body, idempotencyKey: keyFor(body) });
  }, onClose);
  const submission = useSubmitAfterPreview({
    isValid,
    preview: needsPreview ? preview : null,
    submit: save,
  });

  return (
    <DialogForm
      onSubmit={submission.onSubmit}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel={removed > 0 ? `Save and cancel ${pluralize(removed, 'lesson')}` : 'Save terms'}
      isBusy={create.isPending || update.isPending || submission.isWaiting}
    >
      <TextInput
        label="Name"
        placeholder="E.g. Surrey state schools"
        withAsterisk
        data-autofocus
        autoComplete="off"
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errors.name}
        data-path="name"
      />
      {values.terms.map((_, index) => (
        <TermFields
          // Terms have no id, and removing one shifts the values of the others.
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled
          key={index}
          form={form}
          index={index}
          today={today}
        />
      ))}
      {errors.terms}
      <FieldPair>
        <Button
          variant="light"
          onClick={() => change({ terms: [...values.terms, { ...EMPTY_TERM }] })}
        >
          Add a term
        </Button>
        <Button
          variant="default"
          disabled={!isValid}
          onClick={() => change({ terms: [...values.terms, ...termsForNextYear(values.terms)] })}
        >
          Copy to next year
        </Button>
      </FieldPair>
      {needsPreview && isValid && <TermChangePreview preview={preview} today={today} />}
    </DialogForm>
  );
}

const countRemoved = (change: TermCalendarChange | undefined): number =>
  (change?.lessons ?? []).reduce((sum, { removed }) => sum + removed.length, 0);

interface TermFieldsProps {
  form: FormState<FormValues>;
  index: number;
  today: string;
}

function TermFields({ form: { values, errors, change }, index, today }: TermFieldsProps) {
  const term = values.terms[index] ?? EMPTY_TERM;
  const changeTerm = (fields: Partial<Term>) =>
    change({ terms: values.terms.with(index, { ...term, ...fields }) });
  const heading = `Term ${index + 1}`;
  return (
    <FieldSection heading={heading}>
      <TextInput
        label="Term name"
        placeholder="E.g. Autumn 2026, first half"
        autoComplete="off"
        value={term.name}
        onChange={(event) => changeTerm({ name: event.currentTarget.value })}
        error={errors[`terms.${index}.name`]}
      />
      <FieldPair alwaysSideBySide>
        <DateField
          label="First day"
          value={term.fromDate}
          onChange={(fromDate) => changeTerm({ fromDate })}
          today={today}
          placeholder="Pick a date"
          error={errors[`terms.${index}.fromDate`]}
        />
        <DateField
          label="Last day"
          value={term.toDate}
          onChange={(toDate) => changeTerm({ toDate })}
          today={today}
          earliest={term.fromDate}
          placeholder="Pick a date"
          error={errors[`terms.${index}.toDate`]}
        />
      </FieldPair>
      {values.terms.length > 1 && (
        <Button
          variant="subtle"
          size="compact-md"
          justify="start"
          aria-label={`Remove ${term.name || heading}`}
          onClick={() => change({ terms: values.terms.toSpliced(index, 1) })}
        >
          Remove
        </Button>
      )}
    </FieldSection>
  );
}

const MAX_SHOWN_DATES = 4;

function TermChangePreview({
  preview,
  today,
}: {
  preview: UseQueryResult<TermCalendarChange>;
  today: string;
}) {
  const { data } = preview;
  if (preview.isError)
    return (
      <LoadError onRetry={() => void preview.refetch()}>
        We couldn't work out what would change.
      </LoadError>
    );
  const formatDates = (dates: readonly string[]): string => {
    const shown = dates.slice(0, MAX_SHOWN_DATES).map((date) => formatShortDate(date, today));
    const more = dates.length > shown.length ? ` and ${dates.length - shown.length} more` : '';
    return `${shown.join(', ')}${more}`;
  };
  return (
    <ImpactNotice busy={preview.isPending}>
      {data ? (
        <>
          <p>{formatTermChange(data, { isPreview: true }) ?? 'No lessons will change.'}</p>
          {data.lessons.map(({ lessonId, title, added, removed, kept }) => (
            <div key={lessonId}>
              <b>{title}</b>
              {added.length > 0 && <p>Will be added: {formatDates(added)}</p>}
              {removed.length > 0 && <p>Will be cancelled: {formatDates(removed)}</p>}
              {kept.length > 0 && (
                <p>
                  Won't change because you've edited, moved or invoiced them: {formatDates(kept)}
                </p>
              )}
            </div>
          ))}
          {data.overlaps.length > 0 && (
            <>
              <p>New lessons at the same time as:</p>
              <OverlapList overlaps={data.overlaps} />
            </>
          )}
        </>
      ) : (
        <p>Counting...</p>
      )}
    </ImpactNotice>
  );
}
