import type { Lesson, Scope } from '@lessonbook/contract/lessons';
import { SCOPES } from '@lessonbook/contract/lessons';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { deletePreviewQuery, useDeleteLesson } from './api.ts';
import { affectedCount, formatSubmitLabel } from './lesson-format.ts';
import { ChangeImpact, SeriesScopeOptions } from './SeriesScope.tsx';

interface Props {
  lesson: Pick<Lesson, 'id' | 'title' | 'isRecurring'>;
  /** The one the tutor started from. */
  session: Pick<SessionRow, 'id' | 'status'>;
  /** From the lesson's own page, 'this and following' is preselected. */
  from?: 'session' | 'lesson';
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

/** Lessons still to come are cancelled without a fee; what was taught stays. */
export function DeleteLessonModal({ opened, onClose, ...choice }: Props) {
  return (
    <ResponsiveModal
      title={choice.lesson.isRecurring ? 'Which lessons go?' : 'Delete this lesson?'}
      opened={opened}
      onClose={onClose}
    >
      <DeleteLessonForm {...choice} onClose={onClose} />
    </ResponsiveModal>
  );
}

function DeleteLessonForm({ lesson, session, from, onClose, onDeleted }: Omit<Props, 'opened'>) {
  const settled = session.status === 'scheduled' ? undefined : 'This lesson has been dealt with';
  const [chosen, setChosen] = useState<Scope>(settled || from === 'lesson' ? 'following' : 'this');
  const scope = lesson.isRecurring ? chosen : 'this';
  const remove = useDeleteLesson();
  const isOffered = (each: Scope) =>
    lesson.isRecurring ? each !== 'this' || !settled : each === 'this';
  const previews = useQueries({
    queries: SCOPES.map((each) => ({
      ...deletePreviewQuery(lesson.id, each, session.id),
      // Once it is done there is nothing to foresee any more.
      enabled: (remove.isIdle || remove.isError) && isOffered(each),
    })),
  });
  const preview = previews[SCOPES.indexOf(scope)];
  const number = preview?.data && affectedCount(preview.data);

  return (
    <>
      {lesson.isRecurring ? (
        <SeriesScopeOptions
          chosen={scope}
          onChoose={setChosen}
          counts={previews.map(({ data }) => data && affectedCount(data))}
          {...(settled && { onlyThis: settled })}
        />
      ) : (
        <p>{lesson.title}</p>
      )}
      <ChangeImpact verb="delete" preview={preview} />
      <ModalActions
        color="red"
        onCancel={onClose}
        confirm={formatSubmitLabel('delete', number)}
        busy="Deleting..."
        isBusy={remove.isPending}
        disabled={number === undefined}
        // The page around may be gone by then, and the sheet with it: still the caller must hear of it.
        onConfirm={() =>
          void remove
            .mutateAsync({ id: lesson.id, scope, sessionId: session.id })
            .then(onDeleted, () => {})
        }
      />
    </>
  );
}
