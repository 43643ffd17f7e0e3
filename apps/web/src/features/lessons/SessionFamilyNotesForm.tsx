import { type LessonNote, type NoteText, SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { LazyConfirmModal } from '../../components/LazyConfirmModal.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { firstName, formatList } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { FamilyNoteFields, hasText, LastNote, PORTAL_CLOSED_HINT } from './FamilyNoteFields.tsx';
import classes from './SessionFamilyNotesForm.module.css';
import {
  type NoteSeat,
  sessionNotesQuery,
  useSaveNote,
  useWithdrawNote,
} from './shared/lesson-notes-api.ts';

const NoteVersionsModal = lazy(async () => ({
  default: (await import('./NoteVersionsModal.tsx')).NoteVersionsModal,
}));

interface Props {
  sessionId: number;
  dateContext: DateContext;
}

/** The notes for the families of a lesson, for one student at a time. */
export function SessionFamilyNotesForm({ sessionId, dateContext }: Props) {
  const notes = useQuery(sessionNotesQuery(sessionId));
  const [chosen, setChosen] = useState<number>();
  const students = notes.data?.students ?? [];
  const seat = students.find(({ studentId }) => studentId === chosen) ?? students[0];
  if (!seat)
    return notes.isError ? (
      <LoadError onRetry={() => void notes.refetch()}>We couldn't load the notes.</LoadError>
    ) : (
      <RowSkeleton rows={3} />
    );
  return (
    <div className={classes.form}>
      {students.length > 1 && (
        <Select
          label="Student"
          size="md"
          allowDeselect={false}
          data={students.map(({ studentId, studentName }) => ({
            value: String(studentId),
            label: studentName,
          }))}
          value={String(seat.studentId)}
          onChange={(id) => setChosen(Number(id))}
        />
      )}
      <FamilyNoteForm
        key={seat.studentId}
        sessionId={sessionId}
        seat={seat}
        isPortalOpen={notes.data?.isPortalOpen ?? true}
        dateContext={dateContext}
      />
    </div>
  );
}

interface FormValues extends Omit<NoteText, 'dueOn'> {
  /** '' for none. */
  dueOn: string;
}

const EMPTY: NoteText = { did: '', nextTime: '', homework: '', dueOn: null };

/** Homework is for the next lesson unless another date is chosen. */
function toFormValues({ note, nextLessonOn }: NoteSeat): FormValues {
  const text = note?.draft ?? note?.shared ?? EMPTY;
  return { ...text, dueOn: (text.homework ? text.dueOn : nextLessonOn) ?? '' };
}

const toInput = ({ dueOn, ...lines }: FormValues, share: boolean) => ({
  ...lines,
  dueOn: dueOn || null,
  share,
});

const FORM_SCHEMA = z.pipe(
  z.transform<FormValues, z.input<typeof SaveNoteInput>>((values) => toInput(values, false)),
  SaveNoteInput,
);

interface FormProps extends Props {
  seat: NoteSeat;
  isPortalOpen: boolean;
}

function FamilyNoteForm({ sessionId, seat, isPortalOpen, dateContext }: FormProps) {
  const saved = toFormValues(seat);
  const { did, nextTime, homework, dueOn } = saved;
  const initialValues: FormValues = { did, nextTime, homework, dueOn };
  const noteForm = useForm<FormValues>({
    schema: FORM_SCHEMA,
    initialValues,
    mode: 'controlled',
    draft: {
      key: `family note ${sessionId} ${seat.studentId}`,
      fields: ['did', 'nextTime', 'homework'],
    },
  });
  useRefreshUnchangedFields(noteForm, initialValues);
  const { values, errors, change, onSubmit } = noteForm;
  const save = useSaveNote();
  const params = { id: sessionId, studentId: seat.studentId };
  const submit = (share: boolean) =>
    onSubmit((input) => save.mutateAsync({ params, body: toInput(input, share) }))();
  const isChanged = (['did', 'nextTime', 'homework', 'dueOn'] as const).some(
    (name) => values[name] !== initialValues[name],
  );
  const isVisible = seat.note?.shared?.withdrawnAt === null;
  const isSharedAsShown = isVisible && seat.note?.draft === null && !isChanged;
  return (
    <div className={classes.form}>
      <LastNote previous={seat.previous} today={dateContext.today} />
      <FamilyNoteFields values={values} errors={errors} onChange={change} />
      {values.homework.trim() && (
        <div className={classes.due}>
          <DateField
            label="For"
            placeholder="No date"
            clearable
            today={dateContext.today}
            value={values.dueOn}
            error={errors['dueOn']}
            path="dueOn"
            onChange={(date) => change({ dueOn: date })}
          />
        </div>
      )}
      <p className={classes.hint}>{formatState(seat, isPortalOpen, dateContext)}</p>
      {seat.readers.length === 0 && (
        <p className={classes.hint}>
          No one can read {firstName(seat.studentName)}'s notes yet. Choose who can under{' '}
          <Link
            to="/students/$id"
            params={{ id: String(seat.studentId) }}
            search={{ tab: 'people' }}
          >
            People
          </Link>
          .
        </p>
      )}
      <div className={classes.actions}>
        {!isSharedAsShown && (
          <Button disabled={!hasText(values) || save.isPending} onClick={() => submit(true)}>
            {isVisible ? 'Share changes' : 'Share with family'}
          </Button>
        )}
        {isChanged && (
          <Button variant="light" disabled={save.isPending} onClick={() => submit(false)}>
            Save draft
          </Button>
        )}
        {seat.note?.shared && <SharedActions params={params} note={seat.note} {...dateContext} />}
      </div>
    </div>
  );
}

function formatState(
  { note, readers }: NoteSeat,
  isPortalOpen: boolean,
  dateContext: DateContext,
): string {
  const { draft, shared } = note ?? { draft: null, shared: null };
  if (!isPortalOpen) return PORTAL_CLOSED_HINT;
  if (!shared) return draft ? 'Draft. Only you see it.' : 'Only you see it until you share it.';
  const at = formatTimestamp(shared.withdrawnAt ?? shared.sharedAt, dateContext);
  if (shared.withdrawnAt) return `Withdrawn ${at}. Families don't see it any more.`;
  const readersText = readers.length > 0 ? ` ${formatList(readers)} can read it.` : '';
  return `Shared ${at}.${readersText}${draft ? " Your later changes haven't been shared yet." : ''}`;
}

interface SharedActionsProps extends DateContext {
  params: { id: number; studentId: number };
  note: LessonNote;
}

function SharedActions({ params, note, ...dateContext }: SharedActionsProps) {
  const [isWithdrawing, setWithdrawing] = useState(false);
  const [areVersionsShown, setVersionsShown] = useState(false);
  const withdraw = useWithdrawNote();
  return (
    <>
      {note.shared?.withdrawnAt === null && (
        <Button variant="subtle" onClick={() => setWithdrawing(true)}>
          Withdraw
        </Button>
      )}
      <Button variant="subtle" onClick={() => setVersionsShown(true)}>
        Versions
      </Button>
      <LazyConfirmModal
        title="Withdraw this note?"
        opened={isWithdrawing}
        onClose={() => setWithdrawing(false)}
        confirmLabel="Withdraw note"
        busyLabel="Withdrawing..."
        isBusy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ params }, { onSuccess: () => setWithdrawing(false) })}
      >
        The family will no longer see the note and its homework in the portal. If they've already
        been emailed it, they'll keep the email.
      </LazyConfirmModal>
      <LazyMount opened={areVersionsShown}>
        <NoteVersionsModal
          {...params}
          dateContext={dateContext}
          opened={areVersionsShown}
          onClose={() => setVersionsShown(false)}
        />
      </LazyMount>
    </>
  );
}
