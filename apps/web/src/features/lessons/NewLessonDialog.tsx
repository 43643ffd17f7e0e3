import type { Overlap } from '@lessonbook/contract/errors';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { ApiError } from '../../lib/http.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useToday } from '../accounts/api.ts';
import { useCreateLesson } from './api.ts';
import { LessonFields } from './LessonFields.tsx';
import { OverlapModal } from './Overlaps.tsx';
import {
  type LessonDefaults,
  type LessonFormValues,
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
  /** Returns to the form, with the focus on the start time. */
  goBack: () => void;
}

/** Creates a lesson. Loaded lazily because of its size. */
export function NewLessonDialog({ opened, ...form }: Props) {
  const [confirmation, setConfirmation] = useState<OverlapConfirmation | null>(null);
  return (
    <>
      <Dialog
        title="Add New Lesson"
        opened={opened}
        onClose={form.onClose}
        covered={confirmation !== null}
      >
        <NewLessonForm {...form} onOverlap={setConfirmation} />
      </Dialog>
      <OverlapModal
        overlaps={confirmation?.overlaps ?? null}
        onClose={() => {
          setConfirmation(null);
          confirmation?.goBack();
        }}
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
  const form = useLessonForm(newFormValues(defaults, today));
  const create = useCreateLesson();
  const idempotency = useIdempotencyKey();

  async function save(values: LessonFormValues, addAnother: boolean, acceptOverlaps = false) {
    const body = { ...toInput(values), acceptOverlaps };
    try {
      const saved = await create.mutateAsync({ body, idempotencyKey: idempotency.keyFor(body) });
      const { lessonId, sessionId, consequences } = saved;
      idempotency.reset();
      onSaved?.({ lessonId, sessionId, date: consequences.firstDate ?? values.date });
      if (!addAnother) return onClose();
      form.replace(nextFormValues(values));
      form.focus('studentId');
    } catch (error) {
      const overlaps = error instanceof ApiError && error.overlaps;
      if (!overlaps) return form.showServerErrors(error);
      const accept = () => void save(values, addAnother, true);
      onOverlap({ overlaps, accept, goBack: () => form.focus('startTime') });
    }
  }

  return (
    <DialogForm
      onSubmit={form.onSubmit((values) => void save(values, false))}
      onCancel={onClose}
      submitLabel="Save Lesson"
      isBusy={create.isPending}
      secondaryAction={
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
