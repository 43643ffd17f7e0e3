import { formatMoney, toMinor } from '@lessonbook/contract/money';
import type { Subject } from '@lessonbook/contract/subjects';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, startTransition, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { EditableRow } from '../../components/EditableRow.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { PageHeader } from '../../components/PageLayout.tsx';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { initials } from '../../lib/format.ts';
import { subjectsQuery, useDeleteSubject } from './api.ts';
import { SubjectDialog } from './SubjectDialog.tsx';
import classes from './SubjectsView.module.css';
import { SubjectAvatar } from './shared/SubjectAvatar.tsx';

interface DeleteSubjectModalProps {
  subject: Subject;
  opened: boolean;
  onClose: () => void;
}

function DeleteSubjectModal({ subject, opened, onClose }: DeleteSubjectModalProps) {
  const remove = useDeleteSubject();
  return (
    <ConfirmModal
      title="Are you sure you want to delete this subject?"
      opened={opened}
      onClose={onClose}
      confirm="Delete"
      busy="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(subject.id, { onSuccess: onClose })}
    >
      {subject.name} can no longer be chosen. Lessons that have it go on as they are.
    </ConfirmModal>
  );
}

export function SubjectsView({ back }: Pick<ComponentProps<typeof PageHeader>, 'back'>) {
  const subjects = useQuery(subjectsQuery);
  const [opened, setOpened] = useState<'dialog' | 'question' | null>(null);
  // Kept while the dialog slides away, so that its words do not change on the way.
  const [chosen, setChosen] = useState<Subject | null>(null);
  const close = () => setOpened(null);

  function open(what: 'dialog' | 'question', subject: Subject | null) {
    // The list is drawn again for it; the button answers before.
    startTransition(() => {
      setChosen(subject);
      setOpened(what);
    });
  }

  const isEmpty = subjects.data?.length === 0;
  const add = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('dialog', null)}>
      Add Subject
    </Button>
  );

  return (
    <div className={classes.view}>
      {/* An empty book has its one button where the eye is. */}
      <PageHeader title="Subjects" {...(back && { back })} action={!isEmpty && add('filled')} />
      <Card>
        {subjects.isError && !subjects.data ? (
          <LoadError onRetry={() => void subjects.refetch()}>
            Your subjects could not be loaded.
          </LoadError>
        ) : !subjects.data ? (
          <RowSkeleton rows={3} />
        ) : isEmpty ? (
          <EmptyState drawing={<Illustration name="book" size={112} />} action={add('light')}>
            No subjects in the book yet. Add what you teach and what a lesson of it costs.
          </EmptyState>
        ) : (
          <ul>
            {subjects.data.map((subject) => (
              <EditableRow
                key={subject.id}
                avatar={<SubjectAvatar letters={initials(subject.name)} tone={subject.color} />}
                name={subject.name}
                aside={formatMoney(toMinor(subject.defaultFee), subject.currency, 'en-GB')}
                onEdit={() => open('dialog', subject)}
                onDelete={() => open('question', subject)}
              >
                <p>{subject.description || 'No description'}</p>
              </EditableRow>
            ))}
          </ul>
        )}
      </Card>
      <SubjectDialog subject={chosen} opened={opened === 'dialog'} onClose={close} />
      {chosen && (
        <DeleteSubjectModal subject={chosen} opened={opened === 'question'} onClose={close} />
      )}
    </div>
  );
}
