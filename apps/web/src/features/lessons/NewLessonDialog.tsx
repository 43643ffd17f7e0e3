import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { addMinutesToTime } from '../../lib/parse-input.ts';
import { useToday } from '../accounts/api.ts';
import { ratesQuery } from '../rates/api.ts';
import { useCreateLesson } from './api.ts';
import { defaultLessonFee } from './default-lesson-fee.ts';
import { LessonFields } from './LessonFields.tsx';
import {
  ConflictModal,
  type Conflicts,
  groupFullMessage,
  overlapsOf,
} from './OverlapAndConflictWarnings.tsx';
import {
  type LessonDefaults,
  type LessonFormValues,
  newFormValues,
  type SavedLesson,
  toInput,
  useLessonForm,
} from './shared/lesson-form.ts';
import { useTimeOffDuring } from './TimeOffNotice.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
  defaults?: LessonDefaults;
  onSaved?: (saved: SavedLesson) => void;
}

interface Confirmation extends Conflicts {
  /** Saves despite the conflicts. */
  accept: () => void;
}

/** Creates a lesson. Loaded lazily because of its size. */
export function NewLessonDialog({ opened, ...form }: Props) {
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  return (
    <>
      <Dialog title="Add New Lesson" opened={opened} onClose={form.onClose}>
        <NewLessonForm {...form} onConflict={setConfirmation} />
      </Dialog>
      <ConflictModal
        conflicts={confirmation}
        onClose={() => setConfirmation(null)}
        onAccept={() => {
          setConfirmation(null);
          confirmation?.accept();
        }}
      />
    </>
  );
}

/** The conflicts that the tutor has accepted. */
type Accepted = Partial<Record<'acceptOverlaps' | 'acceptFull', boolean>>;

function NewLessonForm({
  defaults = {},
  onClose,
  onSaved,
  onConflict,
}: Omit<Props, 'opened'> & { onConflict: (confirmation: Confirmation) => void }) {
  const today = useToday();
  const form = useLessonForm(newFormValues(defaults, today), 'lesson new');
  const create = useCreateLesson();
  const rates = useQuery(ratesQuery);
  const timeOffDuringLesson = useTimeOffDuring(form.values);
  // A series skips time off, which its preview says, so there is no conflict.
  const timeOff = form.values.isRecurring ? [] : timeOffDuringLesson;

  const save = (addAnother: boolean, accepted: Accepted) =>
    form.onSubmit(
      (values) => {
        // Until the rates have loaded, the fee on screen is not the automatic one.
        const usesRates =
          rates.data && defaultLessonFee(values, rates.data) ? { usesRates: true } : {};
        const body = { ...toInput(values), ...usesRates, ...accepted };
        return create.mutateAsync(
          { body, idempotencyKey: form.keyFor(body) },
          {
            onError: (error) => {
              const overlaps = overlapsOf(error);
              const groupFull = groupFullMessage(error);
              if (overlaps.length === 0 && groupFull === undefined) return;
              const more =
                groupFull === undefined ? { acceptOverlaps: true } : { acceptFull: true };
              const accept = () => save(addAnother, { ...accepted, ...more })();
              // Closing the question returns focus to this field, which needs changing.
              form.focus(groupFull === undefined ? 'startTime' : 'maxStudents');
              onConflict({
                overlaps,
                timeOff: groupFull === undefined ? timeOff : [],
                groupFull,
                accept,
              });
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

  const submit = (addAnother: boolean) =>
    timeOff.length === 0
      ? save(addAnother, { acceptOverlaps: false })
      : form.validated(() => {
          const accept = () => save(addAnother, { acceptOverlaps: false })();
          form.focus('startTime');
          onConflict({ overlaps: [], timeOff, accept });
        });

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

/** For 'Save and add another': the same subject and recurrence, straight after the saved lesson. */
export function nextFormValues(saved: LessonFormValues): LessonFormValues {
  return {
    ...saved,
    studentId: '',
    otherStudentIds: [],
    ownFees: {},
    title: '',
    minStudents: '',
    maxStudents: '',
    autoFilledTitle: '',
    newStudentName: '',
    startTime: saved.endTime,
    endTime: addMinutesToTime(saved.endTime, saved.lessonMinutes),
    place: '',
    usesGoogleMeet: false,
    travelFee: '',
    isTravelFeeTyped: false,
    notes: '',
    usesRates: false,
  };
}
