import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { useToday } from '../accounts/api.ts';
import { useCancelSession } from './api.ts';
import { offerCancellationNotice } from './offer-change-notice.ts';

interface Props {
  text: string;
  sessionId: number;
  onTeach: () => void;
}

/** A group with fewer students than it needs takes place anyway, or is cancelled for all without a fee. */
export function SmallGroupActions({ text, sessionId, onTeach }: Props) {
  const today = useToday();
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useCancelSession();
  return (
    <>
      <Button variant="default" size="sm" aria-label={`Teach anyway: ${text}`} onClick={onTeach}>
        Teach anyway
      </Button>
      <Button
        variant="subtle"
        size="sm"
        color="red"
        aria-label={`Cancel for everyone (no charge): ${text}`}
        onClick={() => setIsAsking(true)}
      >
        Cancel for everyone (no charge)
      </Button>
      <ConfirmModal
        title="Cancel the lesson for everyone?"
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        cancelLabel="Keep lesson"
        confirmLabel="Cancel lesson"
        busyLabel="Cancelling..."
        isBusy={cancel.isPending}
        onConfirm={() =>
          cancel.mutate(
            { params: { id: sessionId }, body: { cancelledBy: 'tutor', chargeFee: false } },
            {
              onSuccess: (session) => {
                setIsAsking(false);
                offerCancellationNotice([session], today);
              },
            },
          )
        }
      >
        <p>{text} No one will be charged. You can then let each family know.</p>
      </ConfirmModal>
    </>
  );
}
