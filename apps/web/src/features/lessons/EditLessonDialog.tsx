import type { Overlap } from '@lessonbook/contract/errors';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { ApiError } from '../../lib/http.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useToday } from '../accounts/api.ts';
import { useUpdateLesson } from './api.ts';
import { LessonFields } from './LessonFields.tsx';
import { OverlapModal } from './Overlaps.tsx';
import { promptNotifyMoved } from './prompt-notify.ts';
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
type Question =
  | { kind: 'overlap'; overlaps: Overlap[]; accept: () => void; goBack: () => void }
  | { kind: 'scope'; values: LessonFormValues };

/** Edits a lesson, starting from one of its sessions. Loaded lazily because of its size. */
export function EditLessonDialog({ edit, opened, onClose, onSaved }: Props) {
  const [question, setQuestion] = useState<Question | null>(null);
  const closeQuestion = () => setQuestion(null);

  function handleSaved(saved: SavedLesson) {
    closeQuestion();
    onSaved?.(saved);
    onClose();
  }

  return (
    <>
      <Dialog title="Edit Lesson" opened={opened} onClose={onClose} covered={question !== null}>
        <EditLessonForm
          edit={edit}
          onClose={onClose}
          onSaved={handleSaved}
          onQuestion={setQuestion}
        />
      </Dialog>
      <OverlapModal
        overlaps={question?.kind === 'overlap' ? question.overlaps : null}
        onClose={() => {
          closeQuestion();
          if (question?.kind === 'overlap') question.goBack();
        }}
        onAccept={() => {
          closeQuestion();
          if (question?.kind === 'overlap') question.accept();
        }}
      />
      <SeriesScopeModal
        edit={edit}
        values={question?.kind === 'scope' ? question.values : null}
        onClose={closeQuestion}
        onSaved={handleSaved}
      />
    </>
  );
}

interface FormProps {
  edit: LessonEdit;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
  onQuestion: (question: Question) => void;
}

function EditLessonForm({ edit, onClose, onSaved, onQuestion }: FormProps) {
  const today = useToday();
  const { lesson, session } = edit;
  const initial = toFormValues(lesson, session);
  const form = useLessonForm(initial);
  const update = useUpdateLesson();
  const idempotency = useIdempotencyKey();

  function save(values: LessonFormValues) {
    if (JSON.stringify(toInput(values)) === JSON.stringify(toInput(initial))) onClose();
    else if (lesson.isRecurring) onQuestion({ kind: 'scope', values });
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
      if (isReschedule(session, values)) promptNotifyMoved(session);
      onSaved({ lessonId, sessionId, date: values.date });
    } catch (error) {
      const overlaps = error instanceof ApiError && error.overlaps;
      if (!overlaps) return form.showServerErrors(error);
      const accept = () => void saveSingle(values, true);
      onQuestion({ kind: 'overlap', overlaps, accept, goBack: () => form.focus('startTime') });
    }
  }

  return (
    <DialogForm
      onSubmit={form.onSubmit(save)}
      onCancel={onClose}
      submit="Save Lesson"
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
