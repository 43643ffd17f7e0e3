import type { Overlap } from '@lessonbook/contract/errors';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { ApiError } from '../../lib/http.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useToday } from '../accounts/api.ts';
import { useUpdateLesson } from './api.ts';
import { LessonFields } from './LessonFields.tsx';
import { OverlapModal } from './Overlaps.tsx';
import { offerRescheduleNotice } from './offer-change-notice.ts';
import { SeriesScopeModal } from './SeriesScopeModal.tsx';
import {
  isReschedule,
  type LessonEdit,
  type LessonFormValues,
  type SavedLesson,
  toFormValues,
  toInput,
  useLessonForm,
} from './shared/lesson-form.ts';

interface Props {
  edit: LessonEdit;
  opened: boolean;
  onClose: () => void;
  onSaved?: (saved: SavedLesson) => void;
}

/** The question shown on top of the dialog: whether to accept overlaps, or which lessons to change. */
type PendingConfirmation =
  | { kind: 'overlap'; overlaps: Overlap[]; accept: () => void; goBack: () => void }
  | { kind: 'scope'; values: LessonFormValues };

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
      <Dialog title="Edit Lesson" opened={opened} onClose={onClose} covered={confirmation !== null}>
        <EditLessonForm
          edit={edit}
          onClose={onClose}
          onSaved={handleSaved}
          onConfirmationNeeded={setConfirmation}
        />
      </Dialog>
      <OverlapModal
        overlaps={confirmation?.kind === 'overlap' ? confirmation.overlaps : null}
        onClose={() => {
          closeConfirmation();
          if (confirmation?.kind === 'overlap') confirmation.goBack();
        }}
        onAccept={() => {
          closeConfirmation();
          if (confirmation?.kind === 'overlap') confirmation.accept();
        }}
      />
      <SeriesScopeModal
        edit={edit}
        values={confirmation?.kind === 'scope' ? confirmation.values : null}
        onClose={closeConfirmation}
        onSaved={handleSaved}
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
  const form = useLessonForm(initial);
  const update = useUpdateLesson();
  const idempotency = useIdempotencyKey();

  function save(values: LessonFormValues) {
    if (JSON.stringify(toInput(values)) === JSON.stringify(toInput(initial))) onClose();
    else if (lesson.isRecurring) onConfirmationNeeded({ kind: 'scope', values });
    else void saveSingle(values, false);
  }

  /** A one-time lesson has no scope to choose. */
  async function saveSingle(values: LessonFormValues, acceptOverlaps: boolean) {
    const body = { ...toInput(values), scope: 'this' as const, sessionId: session.id };
    const input = { params: { id: lesson.id }, body: { ...body, acceptOverlaps } };
    try {
      const { lessonId, sessionId } = await update.mutateAsync({
        ...input,
        idempotencyKey: idempotency.keyFor(input),
      });
      if (isReschedule(session, values)) offerRescheduleNotice(session);
      onSaved({ lessonId, sessionId, date: values.date });
    } catch (error) {
      const overlaps = error instanceof ApiError && error.overlaps;
      if (!overlaps) return form.showServerErrors(error);
      const accept = () => void saveSingle(values, true);
      onConfirmationNeeded({
        kind: 'overlap',
        overlaps,
        accept,
        goBack: () => form.focus('startTime'),
      });
    }
  }

  return (
    <DialogForm
      onSubmit={form.onSubmit(save)}
      onCancel={onClose}
      submitLabel="Save Lesson"
      isBusy={update.isPending}
    >
      <LessonFields
        form={form}
        today={today}
        student={{ id: session.studentId, name: session.studentName }}
        subject={{ id: session.subjectId, name: session.subjectName }}
      />
    </DialogForm>
  );
}
