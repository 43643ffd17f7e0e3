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
  onSaved: (saved: SavedLesson) => void;
}

/** What lies on top of the dialog: lessons in the way, or the question how far a change goes. */
type Question =
  | { ask: 'overlap'; overlaps: Overlap[]; accept: () => void; back: () => void }
  | { ask: 'scope'; values: LessonFormValues };

export function EditLessonDialog({ edit, opened, onClose, onSaved }: Props) {
  const [question, setQuestion] = useState<Question | null>(null);
  const back = () => setQuestion(null);

  function saved(result: SavedLesson) {
    setQuestion(null);
    onSaved(result);
    onClose();
  }

  return (
    <>
      <Dialog title="Edit Lesson" opened={opened} onClose={onClose} covered={question !== null}>
        <EditLessonForm edit={edit} onClose={onClose} onSaved={saved} onQuestion={setQuestion} />
      </Dialog>
      <OverlapModal
        overlaps={question?.ask === 'overlap' ? question.overlaps : null}
        onClose={() => {
          back();
          if (question?.ask === 'overlap') question.back();
        }}
        onAccept={() => {
          setQuestion(null);
          if (question?.ask === 'overlap') question.accept();
        }}
      />
      <SeriesScopeModal
        edit={edit}
        values={question?.ask === 'scope' ? question.values : null}
        onClose={back}
        onSaved={saved}
      />
    </>
  );
}

interface FormProps extends Omit<Props, 'opened'> {
  onQuestion: (question: Question) => void;
}

function EditLessonForm({ edit, onClose, onSaved, onQuestion }: FormProps) {
  const today = useToday();
  const { lesson, session } = edit;
  const before = toFormValues(lesson, session);
  const form = useLessonForm(before);
  const update = useUpdateLesson();
  const attempts = useIdempotencyKey();

  function save(values: LessonFormValues) {
    if (JSON.stringify(toInput(values)) === JSON.stringify(toInput(before))) onClose();
    else if (lesson.isRecurring) onQuestion({ ask: 'scope', values });
    else void saveSingle(values, false);
  }

  /** A one-time lesson has nothing before or after it. */
  async function saveSingle(values: LessonFormValues, acceptOverlaps: boolean) {
    const body = { ...toInput(values), scope: 'this' as const, sessionId: session.id };
    const input = { params: { id: lesson.id }, body: { ...body, acceptOverlaps } };
    try {
      const { lessonId, sessionId } = await update.mutateAsync({
        ...input,
        idempotencyKey: attempts.nameOf(input),
      });
      if (isReschedule(session, values)) promptNotifyMoved(session);
      onSaved({ lessonId, sessionId, date: values.date });
    } catch (error) {
      const overlaps = error instanceof ApiError && error.overlaps;
      if (!overlaps) return form.showRefusal(error);
      const accept = () => void saveSingle(values, true);
      onQuestion({ ask: 'overlap', overlaps, accept, back: () => form.focus('startTime') });
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
