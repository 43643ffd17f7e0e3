import type { Student } from '@lessonbook/contract/students';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, startTransition, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { PageHeader } from '../../components/PageLayoutParts.tsx';
import { studentsQuery } from './api.ts';
import { DeleteStudentModal } from './DeleteStudentModal.tsx';
import { type RenderReminders, StudentDialog } from './StudentDialog.tsx';
import { StudentList } from './StudentListWithEditAndDelete.tsx';
import classes from './StudentsView.module.css';

type Props = Pick<ComponentProps<typeof PageHeader>, 'back'> & {
  reminders?: RenderReminders;
};

export function StudentsView({ back, reminders }: Props) {
  const students = useQuery(studentsQuery);
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selectedStudent, setSelectedStudent] = useState<Student | null>(null);
  const close = () => setOpened(null);

  function open(modal: 'edit' | 'delete', student: Student | null) {
    // A transition, so that the button responds before the list re-renders.
    startTransition(() => {
      setSelectedStudent(student);
      setOpened(modal);
    });
  }

  const isEmpty = students.data?.length === 0;
  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('edit', null)}>
      Add Student
    </Button>
  );

  return (
    <div className={classes.view}>
      {/* The empty state has its own button. */}
      <PageHeader
        title="Students"
        {...(back && { back })}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card>
        {students.isError && !students.data ? (
          <LoadError onRetry={() => void students.refetch()}>
            We couldn't load your students.
          </LoadError>
        ) : !students.data ? (
          <RowSkeleton rows={4} />
        ) : isEmpty ? (
          <EmptyState
            illustration={<Illustration name="students" size={112} />}
            action={renderAddButton('light')}
          >
            No students yet. Add the first one, with the parent or guardian who pays.
          </EmptyState>
        ) : (
          <StudentList
            students={students.data}
            onEdit={(student) => open('edit', student)}
            onDelete={(student) => open('delete', student)}
          />
        )}
      </Card>
      <StudentDialog
        student={students.data?.find(({ id }) => id === selectedStudent?.id) ?? selectedStudent}
        opened={opened === 'edit'}
        onClose={close}
        {...(reminders && { reminders })}
      />
      {selectedStudent && (
        <DeleteStudentModal
          student={selectedStudent}
          opened={opened === 'delete'}
          onClose={close}
        />
      )}
    </div>
  );
}
