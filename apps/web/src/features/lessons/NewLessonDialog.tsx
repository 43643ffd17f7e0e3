import type { Overlap } from '@lessonbook/contract/errors';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { ApiError } from '../../lib/http.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useToday } from '../accounts/api.ts';
import { useCreateLesson } from './api.ts';
import { LessonFields } from './LessonFields.tsx';
import { OverlapModal } from './Overlaps.tsx';
import {
  type LessonDefaults,
  type LessonEdit,
  type LessonFormValues,
  newFormValues,
  nextFormValues,
  type SavedLesson,
  toInput,
  useLessonForm,
} from './shared/lesson-form.ts';

/** Changing a lesson asks much that writing one down does not. */
const EditLessonDialog = lazy(async () => ({
  default: (await import('./EditLessonDialog.tsx')).EditLessonDialog,
}));

interface Props {
  opened: boolean;
  onClose: () => void;
  start?: LessonDefaults;
  edit?: LessonEdit;
  onSaved?: (saved: SavedLesson) => void;
}

/** Writes a lesson down, or changes it. Large with its fields, so fetch it when it is first wanted. */
export function LessonDialog({ opened, onClose, start = {}, edit, onSaved }: Props) {
  const common = { opened, onClose, onSaved: onSaved ?? (() => {}) };
  return edit ? (
    <Suspense>
      <EditLessonDialog edit={edit} {...common} />
    </Suspense>
  ) : (
    <NewLessonDialog start={start} {...common} />
  );
}

interface FormProps {
  start: LessonDefaults;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
}

/** Lessons in the way, and what saves all the same. */
interface OverlapQuestion {
  overlaps: Overlap[];
  accept: () => void;
  /** The time is what the tutor will want to change. */
  back: () => void;
}

export function NewLessonDialog({ opened, ...form }: FormProps & { opened: boolean }) {
  const [question, setQuestion] = useState<OverlapQuestion | null>(null);
  return (
    <>
      <Dialog
        title="Add New Lesson"
        opened={opened}
        onClose={form.onClose}
        covered={question !== null}
      >
        <NewLessonForm {...form} onOverlap={setQuestion} />
      </Dialog>
      <OverlapModal
        overlaps={question?.overlaps ?? null}
        onClose={() => {
          setQuestion(null);
          question?.back();
        }}
        onAccept={() => {
          setQuestion(null);
          question?.accept();
        }}
      />
    </>
  );
}

function NewLessonForm({
  start,
  onClose,
  onSaved,
  onOverlap,
}: FormProps & { onOverlap: (question: OverlapQuestion) => void }) {
  const today = useToday();
  const form = useLessonForm(newFormValues(start, today));
  const create = useCreateLesson();
  const attempts = useIdempotencyKey();

  async function save(values: LessonFormValues, another: boolean, acceptOverlaps = false) {
    const body = { ...toInput(values), acceptOverlaps };
    try {
      const saved = await create.mutateAsync({ body, idempotencyKey: attempts.nameOf(body) });
      const { lessonId, sessionId, consequences } = saved;
      attempts.forget();
      onSaved({ lessonId, sessionId, date: consequences.firstDate ?? values.date });
      if (!another) return onClose();
      form.replace(nextFormValues(values));
      form.focus('studentId');
    } catch (error) {
      const overlaps = error instanceof ApiError && error.overlaps;
      if (!overlaps) return form.showRefusal(error);
      const accept = () => void save(values, another, true);
      onOverlap({ overlaps, accept, back: () => form.focus('startTime') });
    }
  }

  return (
    <DialogForm
      onSubmit={form.onSubmit((values) => void save(values, false))}
      onCancel={onClose}
      submit="Save Lesson"
      isBusy={create.isPending}
      also={
        <Button
          variant="subtle"
          disabled={create.isPending}
          onClick={() => form.onSubmit((values) => void save(values, true))()}
        >
          Save and add another
        </Button>
      }
    >
      <LessonFields form={form} today={today} isNew />
    </DialogForm>
  );
}
