import type { Student } from '@lessonbook/contract/students';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, startTransition, useState } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { Spot } from '../../components/Spot.tsx';
import { studentsQuery } from './api.ts';
import { DeleteStudent } from './DeleteStudent.tsx';
import { type RemindersOf, StudentDialog } from './StudentDialog.tsx';
import { StudentList } from './StudentList.tsx';
import classes from './StudentsView.module.css';

type Props = Pick<ComponentProps<typeof PageHeader>, 'back'> & {
  reminders?: RemindersOf;
};

export function StudentsView({ back, reminders }: Props) {
  const students = useQuery(studentsQuery);
  const [opened, setOpened] = useState<'dialog' | 'question' | null>(null);
  // Kept while the dialog slides away, so that its words do not change on the way.
  const [chosen, setChosen] = useState<Student | null>(null);
  const close = () => setOpened(null);

  function open(what: 'dialog' | 'question', student: Student | null) {
    // The list is drawn again for it; the button answers before.
    startTransition(() => {
      setChosen(student);
      setOpened(what);
    });
  }

  const isEmpty = students.data?.length === 0;
  const add = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('dialog', null)}>
      Add Student
    </Button>
  );

  return (
    <div className={classes.view}>
      {/* An empty book has its one button where the eye is. */}
      <PageHeader title="Students" {...(back && { back })} action={!isEmpty && add('filled')} />
      <Sheet>
        {students.isError && !students.data ? (
          <LoadError onRetry={() => void students.refetch()}>
            Your students could not be loaded.
          </LoadError>
        ) : !students.data ? (
          <RowSkeleton rows={4} />
        ) : isEmpty ? (
          <EmptyState drawing={<Spot name="students" size={112} />} action={add('light')}>
            No students in the book yet. Add the first one, with the parent or guardian who pays.
          </EmptyState>
        ) : (
          <StudentList
            students={students.data}
            onEdit={(student) => open('dialog', student)}
            onDelete={(student) => open('question', student)}
          />
        )}
      </Sheet>
      <StudentDialog
        student={chosen}
        opened={opened === 'dialog'}
        onClose={close}
        {...(reminders && { reminders })}
      />
      {chosen && <DeleteStudent student={chosen} opened={opened === 'question'} onClose={close} />}
    </div>
  );
}
