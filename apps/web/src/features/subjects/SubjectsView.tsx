import { formatMoney, toMinor } from '@lessonbook/contract/money';
import type { Subject } from '@lessonbook/contract/subjects';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, startTransition, useState } from 'react';
import { CardRow } from '../../components/CardRow.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { Spot } from '../../components/Spot.tsx';
import { ToneSquare } from '../../components/ToneSquare.tsx';
import { initials } from '../../lib/format.ts';
import { subjectsQuery } from './api.ts';
import { DeleteSubject } from './DeleteSubject.tsx';
import { SubjectDialog } from './SubjectDialog.tsx';
import classes from './SubjectsView.module.css';

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
      <Sheet>
        {subjects.isError && !subjects.data ? (
          <LoadError onRetry={() => void subjects.refetch()}>
            Your subjects could not be loaded.
          </LoadError>
        ) : !subjects.data ? (
          <RowSkeleton rows={3} />
        ) : isEmpty ? (
          <EmptyState drawing={<Spot name="book" size={112} />} action={add('light')}>
            No subjects in the book yet. Add what you teach and what a lesson of it costs.
          </EmptyState>
        ) : (
          <ul>
            {subjects.data.map((subject) => (
              <CardRow
                key={subject.id}
                square={<ToneSquare letters={initials(subject.name)} tone={subject.tone} />}
                name={subject.name}
                aside={formatMoney(toMinor(subject.defaultFee), subject.currency, 'en-GB')}
                onEdit={() => open('dialog', subject)}
                onDelete={() => open('question', subject)}
              >
                <p>{subject.description || 'No description'}</p>
              </CardRow>
            ))}
          </ul>
        )}
      </Sheet>
      <SubjectDialog subject={chosen} opened={opened === 'dialog'} onClose={close} />
      {chosen && <DeleteSubject subject={chosen} opened={opened === 'question'} onClose={close} />}
    </div>
  );
}
