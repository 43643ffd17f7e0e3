import type { Overlap } from '@lessonbook/contract/errors';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { ApiError } from '../../lib/http.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useToday } from '../accounts/api.ts';
import { useCreateLesson } from './api.ts';
import { LessonDialogFields } from './LessonDialogFields.tsx';
import {
  anotherForm,
  type LessonForm,
  type LessonStart,
  newForm,
  type SavedLesson,
  toInput,
} from './lesson-form.ts';
import { OverlapSheet } from './OverlapNotice.tsx';
import { useLessonForm } from './use-lesson-form.ts';

interface FormProps {
  start: LessonStart;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
}

/** Lessons in the way, and what saves all the same. */
interface Question {
  overlaps: Overlap[];
  accept: () => void;
  /** The time is what the tutor will want to change. */
  back: () => void;
}

export function LessonDialogNew({ opened, ...form }: FormProps & { opened: boolean }) {
  const [question, setQuestion] = useState<Question | null>(null);
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
      <OverlapSheet
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
}: FormProps & { onOverlap: (question: Question) => void }) {
  const today = useToday();
  const form = useLessonForm(newForm(start, today));
  const create = useCreateLesson();
  const attempts = useNamedAttempts();

  async function save(values: LessonForm, another: boolean, acceptOverlaps = false) {
    const body = { ...toInput(values), acceptOverlaps };
    try {
      const saved = await create.mutateAsync({ body, attempt: attempts.nameOf(body) });
      const { lessonId, sessionId, consequences } = saved;
      attempts.forget();
      onSaved({ lessonId, sessionId, date: consequences.firstDate ?? values.date });
      if (!another) return onClose();
      form.replace(anotherForm(values));
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
      <LessonDialogFields form={form} today={today} isNew />
    </DialogForm>
  );
}
