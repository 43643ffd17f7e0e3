import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { Lesson, Scope } from '@lessonbook/contract/lessons';
import { SCOPES } from '@lessonbook/contract/lessons';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { deletePreviewQuery, useDeleteLesson } from './api.ts';
import { countAffectedLessons, formatSubmitLabel } from './lesson-change-format.ts';
import { ChangeImpact, SeriesScopeOptions } from './SeriesScopeOptionsAndImpact.tsx';

interface Props {
  lesson: Pick<Lesson, 'id' | 'title' | 'studentName' | 'subjectName' | 'isRecurring'>;
  /** The session the dialog was opened from. */
  session: Pick<SessionRow, 'id' | 'status'>;
  /** On the lesson's page, 'this and following' is preselected. */
  from?: 'session' | 'lesson';
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

/** Cancels upcoming sessions without a fee; completed ones stay. */
export function DeleteLessonModal({ opened, onClose, ...choice }: Props) {
  return (
    <ResponsiveModal
      title={
        choice.lesson.isRecurring ? 'Which lessons do you want to delete?' : 'Delete this lesson?'
      }
      opened={opened}
      onClose={onClose}
    >
      <DeleteLessonForm {...choice} onClose={onClose} />
    </ResponsiveModal>
  );
}

function DeleteLessonForm({ lesson, session, from, onClose, onDeleted }: Omit<Props, 'opened'>) {
  const blockedReason =
    session.status === 'scheduled' ? undefined : 'This lesson is already completed or cancelled';
  const [selectedScope, setSelectedScope] = useState<Scope>(
    blockedReason || from === 'lesson' ? 'following' : 'this',
  );
  const scope = lesson.isRecurring ? selectedScope : 'this';
  const remove = useDeleteLesson();
  const isOffered = (option: Scope) =>
    lesson.isRecurring ? option !== 'this' || !blockedReason : option === 'this';
  const previews = useQueries({
    queries: SCOPES.map((option) => ({
      ...deletePreviewQuery(lesson.id, option, session.id),
      // No preview once the lesson is deleted.
      enabled: (remove.isIdle || remove.isError) && isOffered(option),
    })),
  });
  const preview = previews[SCOPES.indexOf(scope)];

  return (
    <>
      {lesson.isRecurring ? (
        <SeriesScopeOptions
          chosen={scope}
          onChoose={setSelectedScope}
          counts={previews.map(({ data }) => data && countAffectedLessons(data))}
          {...(blockedReason && { blockedReason })}
        />
      ) : (
        <p>{lessonLabel(lesson)}</p>
      )}
      <ChangeImpact verb="delete" preview={preview} />
      <ModalActions
        color="red"
        onCancel={onClose}
        confirmLabel={formatSubmitLabel('delete', preview?.data)}
        busyLabel="Deleting..."
        isBusy={remove.isPending}
        disabled={!preview?.data}
        // Uses mutateAsync, because the modal may be unmounted by then and a mutate callback would not run.
        onConfirm={() =>
          void remove
            .mutateAsync({ id: lesson.id, scope, sessionId: session.id })
            .then(onDeleted, () => {})
        }
      />
    </>
  );
}
