import { formatMoney } from '@lessonbook/contract/money';
import { RATE_UNIT_LABELS, type Rate } from '@lessonbook/contract/rates';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, startTransition, useState } from 'react';
import { Avatar } from '../components/Avatar.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyConfirmModal } from '../components/LazyConfirmModal.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { RowWithEditAndDelete } from '../components/RowWithEditAndDelete.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { ratesQuery, useDeleteRate } from '../features/rates/api.ts';
import { formatDateWithYear, initials } from '../lib/format.ts';

const RateDialog = lazy(async () => ({
  default: (await import('../features/rates/shared/RateDialog.tsx')).RateDialog,
}));

const formatRate = ({ amount, currency, unit }: Rate): string =>
  `${formatMoney(amount, currency, 'en-GB')} ${RATE_UNIT_LABELS[unit]}`;

export function SettingsRatesPage() {
  const { today } = useTutor();
  const rates = useQuery(ratesQuery);
  const [opened, setOpened] = useState<'edit' | 'remove' | null>(null);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selected, setSelected] = useState<Rate | null>(null);
  const remove = useDeleteRate();
  const close = () => setOpened(null);
  const isEmpty = rates.data?.length === 0;

  function open(modal: 'edit' | 'remove', rate: Rate | null) {
    startTransition(() => {
      setSelected(rate);
      setOpened(modal);
    });
  }

  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('edit', null)}>
      Add rate
    </Button>
  );

  return (
    <NarrowContainer>
      <PageHeader
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card
        aside={
          <ButtonLink to="/settings/rates/raise" variant="subtle">
            Raise prices
          </ButtonLink>
        }
        heading="What students pay"
      >
        {rates.isPending && <RowSkeleton rows={3} />}
        {rates.isError && !rates.data && (
          <LoadError onRetry={() => void rates.refetch()}>We couldn't load your rates.</LoadError>
        )}
        {isEmpty && (
          <EmptyState
            illustration={<Illustration name="book" size={112} />}
            action={renderAddButton('light')}
          >
            No rates yet. Lessons use the subject's default fee unless you enter another one.
          </EmptyState>
        )}
        {rates.data && !isEmpty && (
          <ul>
            {rates.data.map((rate) => (
              <RowWithEditAndDelete
                key={rate.id}
                avatar={<Avatar initials={initials(rate.studentName)} />}
                name={`${rate.studentName}, ${rate.subjectName}`}
                aside={formatRate(rate)}
                onEdit={() => open('edit', rate)}
                onDelete={() => open('remove', rate)}
              >
                <p>From {formatDateWithYear(rate.validFrom)}</p>
              </RowWithEditAndDelete>
            ))}
          </ul>
        )}
      </Card>
      <LazyMount opened={opened === 'edit'}>
        <RateDialog rate={selected} today={today} opened={opened === 'edit'} onClose={close} />
      </LazyMount>
      {selected && (
        <LazyConfirmModal
          title="Remove this rate?"
          opened={opened === 'remove'}
          onClose={close}
          confirmLabel="Remove rate"
          busyLabel="Removing..."
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(selected.id, { onSuccess: close })}
        >
          {selected.studentName}'s scheduled lessons will use the previous rate or, if there isn't
          one, the subject's default fee. Invoiced lessons and fees you entered won't change.
        </LazyConfirmModal>
      )}
    </NarrowContainer>
  );
}
