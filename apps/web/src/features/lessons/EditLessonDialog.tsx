import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { useToday } from '../accounts/api.ts';
import { useUpdateLesson } from './api.ts';
import { LessonFields } from './LessonFields.tsx';
import { LessonRoster } from './LessonRoster.tsx';
import { isReschedule } from './lesson-change-format.ts';
import { ConflictModal, type Conflicts, overlapsOf } from './OverlapAndConflictWarnings.tsx';
import { offerRescheduleNotice } from './offer-change-notice.ts';
import { SeriesScopeModal } from './SeriesScopeModal.tsx';
import {
  type LessonEdit,
  type LessonFormState,
  type LessonFormValues,
  type SavedLesson,
  toFormValues,
  toUpdateInput,
  useLessonForm,
} from './shared/lesson-form.ts';
import { useTimeOffDuring } from './TimeOffNotice.tsx';

interface Props {
  edit: LessonEdit;
  opened: boolean;
  onClose: () => void;
  onSaved?: (saved: SavedLesson) => void;
}

/** The question shown on top of the dialog: whether to accept conflicts, or which lessons to change. */
type PendingConfirmation =
  | ({ kind: 'conflict'; accept: () => void } & Conflicts)
  | { kind: 'scope'; values: LessonFormValues; onSaved: () => void };

/** Edits a lesson, starting from one of its sessions. Loaded lazily because of its size. */
export function EditLessonDialog({ edit, opened, onClose, onSaved }: Props) {
  const [confirmation, setConfirmation] = useState<PendingConfirmation | null>(null);
  const closeConfirmation = () => setConfirmation(null);

  function handleSaved(saved: SavedLesson) {
    closeConfirmation();
    onSaved?.(saved);
    onClose();
  }

  return (
    <>
      <Dialog title="Edit Lesson" opened={opened} onClose={onClose}>
        <EditLessonForm
          edit={edit}
          onClose={onClose}
          onSaved={handleSaved}
          onConfirmationNeeded={setConfirmation}
        />
      </Dialog>
      <ConflictModal
        conflicts={confirmation?.kind === 'conflict' ? confirmation : null}
        onClose={closeConfirmation}
        onAccept={() => {
          closeConfirmation();
          if (confirmation?.kind === 'conflict') confirmation.accept();
        }}
      />
      <SeriesScopeModal
        edit={edit}
        values={confirmation?.kind === 'scope' ? confirmation.values : null}
        onClose={closeConfirmation}
        onSaved={(saved) => {
          if (confirmation?.kind === 'scope') confirmation.onSaved();
          handleSaved(saved);
        }}
      />
    </>
  );
}

interface FormProps {
  edit: LessonEdit;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
  onConfirmationNeeded: (confirmation: PendingConfirmation) => void;
}

function EditLessonForm({ edit, onClose, onSaved, onConfirmationNeeded }: FormProps) {
  const today = useToday();
  const { lesson, session } = edit;
  const initial = toFormValues(lesson, session);
  const form = useLessonForm(initial, `session ${session.id}`);
  const update = useUpdateLesson();
  useRosterChanges(form, initial);
  const timeOffDuringLesson = useTimeOffDuring(form.values);
  const timeOff = isReschedule(session, form.values) ? timeOffDuringLesson : [];

  /** A one-time lesson has no scope to choose. */
  const saveSingle = (acceptOverlaps: boolean) =>
    form.onSubmit(
      (values) => {
        const body = { ...toUpdateInput(values), scope: 'this' as const, sessionId: session.id };
        const input = { params: { id: lesson.id }, body: { ...body, acceptOverlaps } };
        return update.mutateAsync(
          { ...input, idempotencyKey: form.keyFor(input) },
          {
            onError: (error) => {
              const overlaps = overlapsOf(error);
              if (overlaps.length === 0) return;
              const accept = () => saveSingle(true)();
              // Closing the question returns focus to this field, which needs changing.
              form.focus('startTime');
              onConfirmationNeeded({ kind: 'conflict', overlaps, timeOff, accept });
            },
          },
        );
      },
      ({ lessonId, sessionId }, values) => {
        if (isReschedule(session, values)) offerRescheduleNotice(session);
        onSaved({ lessonId, sessionId, date: values.date });
      },
    );

  const confirmTimeOff = form.validated(() => {
    form.focus('startTime');
    const accept = () => saveSingle(false)();
    onConfirmationNeeded({ kind: 'conflict', overlaps: [], timeOff, accept });
  });

  const chooseScope = form.validated((values) =>
    onConfirmationNeeded({ kind: 'scope', values, onSaved: () => form.markSaved() }),
  );

  function save(event: FormEvent) {
    event.preventDefault();
    const isUnchanged =
      JSON.stringify(toUpdateInput(form.values)) === JSON.stringify(toUpdateInput(initial));
    if (isUnchanged) onClose();
    else if (lesson.isRecurring) chooseScope();
    else if (timeOff.length > 0) confirmTimeOff();
    else saveSingle(false)();
  }

  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel="Save Lesson"
      isBusy={update.isPending}
    >
      <LessonFields
        form={form}
        today={today}
        student={{ id: session.studentId, name: session.studentName }}
        subject={{ id: session.subjectId, name: session.subjectName }}
        roster={<LessonRoster lesson={lesson} session={session} today={today} />}
      />
    </DialogForm>
  );
}

/** Updates the students and the fee if a student joins or leaves while the dialog is open. */
function useRosterChanges(form: LessonFormState, current: LessonFormValues): void {
  const { studentId, otherStudentIds, fee, usesRates = false } = current;
  const students = [studentId, ...otherStudentIds].join();
  const filledRef = useRef(students);
  const fill = useEffectEvent(() =>
    form.fillIn({ studentId, otherStudentIds, fee, usesRates, isFeeTyped: false }),
  );
  useEffect(() => {
    if (students === filledRef.current) return;
    filledRef.current = students;
    fill();
  }, [students]);
}
