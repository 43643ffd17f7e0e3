import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { TimeOffList } from '../features/lessons/TimeOffList.tsx';
import { timeOffQuery } from '../features/lessons/time-off-api.ts';

const TimeOffDialog = lazy(async () => ({
  default: (await import('../features/lessons/TimeOffDialog.tsx')).TimeOffDialog,
}));

const ChangedDaysCard = lazy(async () => ({
  default: (await import('../features/lessons/ChangedDaysCard.tsx')).ChangedDaysCard,
}));

export function SettingsTimeOffPage() {
  const { today } = useTutor();
  const { date } = useSearch({ from: '/tutor/settings/time-off' });
  const navigate = useNavigate();
  const [adding, setAdding] = useState(date !== undefined);
  const list = useQuery(timeOffQuery);
  const isEmpty = list.data?.length === 0;

  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => setAdding(true)}>
      Add time off
    </Button>
  );

  function close() {
    setAdding(false);
    // The date came from the URL: a reload must not open the dialog again.
    if (date) void navigate({ to: '/settings/time-off', replace: true });
  }

  return (
    <NarrowContainer>
      <PageHeader
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card>
        {list.isPending && <RowSkeleton rows={2} />}
        {list.isError && !list.data && (
          <LoadError onRetry={() => void list.refetch()}>We couldn't load your time off.</LoadError>
        )}
        {isEmpty && (
          <EmptyState
            illustration={<Illustration name="sun" size={112} />}
            action={renderAddButton('light')}
          >
            You haven't added any time off.
          </EmptyState>
        )}
        {list.data && !isEmpty && <TimeOffList list={list.data} today={today} />}
      </Card>
      <LazyMount opened>
        <ChangedDaysCard today={today} />
      </LazyMount>
      <LazyMount opened={adding}>
        <TimeOffDialog opened={adding} onClose={close} today={today} day={date} />
      </LazyMount>
    </NarrowContainer>
  );
}
