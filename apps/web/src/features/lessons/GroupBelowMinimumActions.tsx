import { Button } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { useCancelSession } from './api.ts';
import { useOneToOneMessage } from './ask-one-to-one-fee-message.ts';
import { offerCancellationNotice } from './offer-change-notice.ts';

interface Props {
  text: string;
  sessionId: number;
  tutor: DateContext;
  onTeach: () => void;
}

/**
 * For a group with too few students: the tutor can teach it anyway, cancel the lesson for everyone without a fee, or ask the
 * family of the last student about a one-to-one fee.
 */
export function GroupBelowMinimumActions({ text, sessionId, tutor, onTeach }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useCancelSession();
  const message = useOneToOneMessage(sessionId, tutor);
  return (
    <>
      <Button variant="default" size="sm" aria-label={`Teach anyway: ${text}`} onClick={onTeach}>
        Teach anyway
      </Button>
      {message && (
        <ButtonLink
          to="/messages/new"
          search={{ oneToOne: sessionId }}
          variant="default"
          size="sm"
          aria-label={`Ask about a one-to-one fee: ${text}`}
        >
          Ask about a one-to-one fee
        </ButtonLink>
      )}
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
                offerCancellationNotice([session], tutor.today);
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
