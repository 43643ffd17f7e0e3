import type { Overlap } from '@lessonbook/contract/errors';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { useToday } from '../accounts/api.ts';
import { useCreateLesson } from './api.ts';
import { LessonFields } from './LessonFields.tsx';
import { OverlapModal, overlapsOf } from './Overlaps.tsx';
import {
  type LessonDefaults,
  newFormValues,
  nextFormValues,
  type SavedLesson,
  toInput,
  useLessonForm,
} from './shared/lesson-form.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  defaults?: LessonDefaults;
  onSaved?: (saved: SavedLesson) => void;
}

interface OverlapConfirmation {
  overlaps: Overlap[];
  /** Saves despite the overlaps. */
  accept: () => void;
}

/** Creates a lesson. Loaded lazily because of its size. */
export function NewLessonDialog({ opened, ...form }: Props) {
  const [confirmation, setConfirmation] = useState<OverlapConfirmation | null>(null);
  return (
    <>
      <Dialog title="Add New Lesson" opened={opened} onClose={form.onClose}>
        <NewLessonForm {...form} onOverlap={setConfirmation} />
      </Dialog>
      <OverlapModal
        overlaps={confirmation?.overlaps ?? null}
        onClose={() => setConfirmation(null)}
        onAccept={() => {
          setConfirmation(null);
          confirmation?.accept();
        }}
      />
    </>
  );
}

function NewLessonForm({
  defaults = {},
  onClose,
  onSaved,
  onOverlap,
}: Omit<Props, 'opened'> & { onOverlap: (confirmation: OverlapConfirmation) => void }) {
  const today = useToday();
  const form = useLessonForm(newFormValues(defaults, today), 'lesson new');
  const create = useCreateLesson();

  const submit = (addAnother: boolean, acceptOverlaps = false) =>
    form.onSubmit(
      (values) => {
        const body = { ...toInput(values), acceptOverlaps };
        return create.mutateAsync(
          { body, idempotencyKey: form.keyFor(body) },
          {
            onError: (error) => {
              const overlaps = overlapsOf(error);
              if (overlaps.length === 0) return;
              const accept = () => submit(addAnother, true)();
              // The question returns the focus to the field to change.
              form.focus('startTime');
              onOverlap({ overlaps, accept });
            },
          },
        );
      },
      ({ lessonId, sessionId, consequences }, values) => {
        onSaved?.({ lessonId, sessionId, date: consequences.firstDate ?? values.date });
        if (!addAnother) return onClose();
        form.replace(nextFormValues(values));
        form.focus('studentId');
      },
    );

  return (
    <DialogForm
      onSubmit={submit(false)}
      onCancel={onClose}
      submitLabel="Save Lesson"
      isBusy={create.isPending}
      secondaryAction={
        <Button variant="subtle" disabled={create.isPending} onClick={() => submit(true)()}>
          Save and add another
        </Button>
      }
    >
      <LessonFields form={form} today={today} isNew />
    </DialogForm>
  );
}
