import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { CancelSheet } from './CancelSheet.tsx';
import { CompleteSheet } from './CompleteSheet.tsx';
import { ReopenSheet } from './ReopenSheet.tsx';
import { RescheduleSheet } from './RescheduleSheet.tsx';
import classes from './SessionActions.module.css';

interface Props {
  session: Session;
  today: string;
  onMoved: (to: { id: number }) => void;
}

/** What can be done with a session: the three while it is scheduled, taking back once it is dealt with. */
export function SessionActions({ session, today, onMoved }: Props) {
  const [open, setOpen] = useState<'complete' | 'move' | 'cancel' | 'reopen' | null>(null);
  const close = () => setOpen(null);
  const settled = session.status !== 'scheduled';
  const canReopen = session.status === 'completed' || session.status === 'cancelled';
  return (
    <div className={classes.actions}>
      {canReopen && (
        <Button variant="light" onClick={() => setOpen('reopen')}>
          Reopen
        </Button>
      )}
      <Button disabled={settled} onClick={() => setOpen('complete')}>
        Mark as Completed
      </Button>
      <Button variant="light" disabled={settled} onClick={() => setOpen('move')}>
        Reschedule Session
      </Button>
      <Button variant="subtle" color="red" disabled={settled} onClick={() => setOpen('cancel')}>
        Cancel Session
      </Button>
      <CompleteSheet session={session} opened={open === 'complete'} onClose={close} />
      <RescheduleSheet
        session={session}
        today={today}
        opened={open === 'move'}
        onClose={close}
        onMoved={onMoved}
      />
      <CancelSheet session={session} opened={open === 'cancel'} onClose={close} />
      <ReopenSheet session={session} opened={open === 'reopen'} onClose={close} />
    </div>
  );
}
