import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import classes from './SessionActions.module.css';
import type { SessionModal } from './SessionModals.tsx';

const SessionModals = lazy(async () => ({
  default: (await import('./SessionModals.tsx')).SessionModals,
}));

interface Props {
  session: Session;
  today: string;
  onMoved: (to: { id: number }) => void;
}

/** Actions to complete, reschedule or cancel a scheduled session, or to reopen a completed or cancelled one. */
export function SessionActions({ session, today, onMoved }: Props) {
  const [openModal, setOpenModal] = useState<SessionModal | null>(null);
  const isScheduled = session.status === 'scheduled';
  const canReopen = session.status === 'completed' || session.status === 'cancelled';
  return (
    <div className={classes.actions}>
      {!!session.outstanding && (
        <ButtonLink
          to="/payments/create/$lessonId"
          params={{ lessonId: String(session.lessonId) }}
          search={{ session: session.id }}
        >
          Record payment
        </ButtonLink>
      )}
      {canReopen && (
        <Button variant="light" onClick={() => setOpenModal('reopen')}>
          Reopen
        </Button>
      )}
      <Button disabled={!isScheduled} onClick={() => setOpenModal('complete')}>
        Mark as Completed
      </Button>
      <Button variant="light" disabled={!isScheduled} onClick={() => setOpenModal('move')}>
        Reschedule Session
      </Button>
      <Button
        variant="subtle"
        color="red"
        disabled={!isScheduled}
        onClick={() => setOpenModal('cancel')}
      >
        Cancel Session
      </Button>
      <LazyMount opened={openModal !== null}>
        <SessionModals
          session={session}
          today={today}
          openModal={openModal}
          onClose={() => setOpenModal(null)}
          onMoved={onMoved}
        />
      </LazyMount>
    </div>
  );
}
