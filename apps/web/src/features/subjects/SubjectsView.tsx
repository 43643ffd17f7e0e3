import { formatMoney, toMinor } from '@lessonbook/contract/money';
import type { Subject } from '@lessonbook/contract/subjects';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, startTransition, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { PageHeader } from '../../components/PageLayoutParts.tsx';
import { RowWithEditAndDelete } from '../../components/RowWithEditAndDelete.tsx';
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
      confirmLabel="Delete subject"
      busyLabel="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(subject.id, { onSuccess: onClose })}
    >
      {subject.name} can no longer be chosen. Lessons in this subject aren't affected.
    </ConfirmModal>
  );
}

export function SubjectsView({ back }: Pick<ComponentProps<typeof PageHeader>, 'back'>) {
  const subjects = useQuery(subjectsQuery);
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selectedSubject, setSelectedSubject] = useState<Subject | null>(null);
  const close = () => setOpened(null);

  function open(modal: 'edit' | 'delete', subject: Subject | null) {
    // A transition, so that the button responds before the list re-renders.
    startTransition(() => {
      setSelectedSubject(subject);
      setOpened(modal);
    });
  }

  const isEmpty = subjects.data?.length === 0;
  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('edit', null)}>
      Add Subject
    </Button>
  );

  return (
    <div className={classes.view}>
      {/* The empty state has its own button. */}
      <PageHeader
        title="Subjects"
        {...(back && { back })}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card>
        {subjects.isError && !subjects.data ? (
          <LoadError onRetry={() => void subjects.refetch()}>
            We couldn't load your subjects.
          </LoadError>
        ) : !subjects.data ? (
          <RowSkeleton rows={3} />
        ) : isEmpty ? (
          <EmptyState
            illustration={<Illustration name="book" size={112} />}
            action={renderAddButton('light')}
          >
            No subjects yet. Add what you teach and what a lesson costs.
          </EmptyState>
        ) : (
          <ul>
            {subjects.data.map((subject) => (
              <RowWithEditAndDelete
                key={subject.id}
                avatar={<SubjectAvatar initials={initials(subject.name)} color={subject.color} />}
                name={subject.name}
                aside={formatMoney(toMinor(subject.defaultFee), subject.currency, 'en-GB')}
                onEdit={() => open('edit', subject)}
                onDelete={() => open('delete', subject)}
              >
                <p>{subject.description || 'No description'}</p>
              </RowWithEditAndDelete>
            ))}
          </ul>
        )}
      </Card>
      <SubjectDialog subject={selectedSubject} opened={opened === 'edit'} onClose={close} />
      {selectedSubject && (
        <DeleteSubjectModal
          subject={selectedSubject}
          opened={opened === 'delete'}
          onClose={close}
        />
      )}
    </div>
  );
}
