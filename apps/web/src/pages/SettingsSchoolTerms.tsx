import type { TermCalendar } from '@lessonbook/contract/term-calendars';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, startTransition, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyConfirmModal } from '../components/LazyConfirmModal.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { RowWithEditAndDelete } from '../components/RowWithEditAndDelete.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import {
  termCalendarsQuery,
  useDeleteTermCalendar,
} from '../features/lessons/shared/term-calendars-api.ts';
import { formatShortDate, pluralize } from '../lib/format.ts';

const TermCalendarDialog = lazy(async () => ({
  default: (await import('../features/lessons/TermCalendarDialog.tsx')).TermCalendarDialog,
}));

export function SettingsSchoolTermsPage() {
  const { today } = useTutor();
  const calendars = useQuery(termCalendarsQuery);
  const remove = useDeleteTermCalendar();
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selected, setSelected] = useState<TermCalendar | null>(null);
  const close = () => setOpened(null);

  function open(modal: 'edit' | 'delete', calendar: TermCalendar | null) {
    startTransition(() => {
      setSelected(calendar);
      setOpened(modal);
    });
  }

  const isEmpty = calendars.data?.length === 0;
  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('edit', null)}>
      Add school terms
    </Button>
  );

  return (
    <NarrowContainer>
      <PageHeader
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card>
        {calendars.isPending && <RowSkeleton rows={2} />}
        {calendars.isError && !calendars.data && (
          <LoadError onRetry={() => void calendars.refetch()}>
            We couldn't load your school terms.
          </LoadError>
        )}
        {isEmpty && (
          <EmptyState
            illustration={<Illustration name="sun" size={112} />}
            action={renderAddButton('light')}
          >
            Add a school's term dates so lessons can repeat in term time only.
          </EmptyState>
        )}
        {calendars.data && !isEmpty && (
          <ul>
            {calendars.data.map((calendar) => (
              <RowWithEditAndDelete
                key={calendar.id}
                avatar={null}
                name={calendar.name}
                aside={calendar.lessons > 0 && formatFollowers(calendar)}
                onEdit={() => open('edit', calendar)}
                onDelete={() => open('delete', calendar)}
              >
                <TermList calendar={calendar} today={today} />
              </RowWithEditAndDelete>
            ))}
          </ul>
        )}
      </Card>
      <LazyMount opened={opened === 'edit'}>
        <TermCalendarDialog
          calendar={selected}
          opened={opened === 'edit'}
          onClose={close}
          today={today}
        />
      </LazyMount>
      {selected && (
        <LazyConfirmModal
          title={`Delete ${selected.name}?`}
          opened={opened === 'delete'}
          onClose={close}
          cancelLabel="Keep terms"
          confirmLabel="Delete terms"
          busyLabel="Deleting..."
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(selected.id, { onSuccess: close })}
        >
          {selected.lessons > 0
            ? `${formatFollowers(selected)}. Change or delete ${selected.lessons === 1 ? 'it' : 'them'} first.`
            : "Students who follow these terms will no longer have school terms. Their lessons won't change."}
        </LazyConfirmModal>
      )}
    </NarrowContainer>
  );
}

const formatFollowers = ({ lessons }: TermCalendar): string =>
  `${pluralize(lessons, 'recurring lesson follows', 'recurring lessons follow')} these terms`;

/** The current and later terms, or a reminder to enter them. */
function TermList({ calendar, today }: { calendar: TermCalendar; today: string }) {
  const terms = calendar.terms.filter(({ toDate }) => toDate >= today);
  if (terms.length === 0) return <p>These terms have ended. Edit them to add the next ones.</p>;
  return terms.map(({ name, fromDate, toDate }) => (
    <p key={fromDate}>
      {name}: {formatShortDate(fromDate, today)} to {formatShortDate(toDate, today)}
    </p>
  ));
}
