import type { CancelInput, CancellationProposal, SessionRow } from '@lessonbook/contract/sessions';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useToday } from '../accounts/api.ts';
import { cancellationQuery, useCancelSession } from './api.ts';
import { offerCancellationNotice } from './offer-change-notice.ts';
import classes from './SessionModals.module.css';

type CancelledBy = CancelInput['cancelledBy'];

const cancelledByOptions = [
  { value: 'tutor', label: 'Me' },
  { value: 'student', label: 'Student' },
  { value: 'carer', label: 'Carer' },
] as const;

interface Props {
  session: SessionRow;
  opened: boolean;
  onClose: () => void;
}

export function CancelSessionModal({ session, opened, onClose }: Props) {
  return (
    <ResponsiveModal title="Cancel Session" opened={opened} onClose={onClose}>
      <CancelForm session={session} onClose={onClose} />
    </ResponsiveModal>
  );
}

/** First asks who cancelled, because the fee depends on it. */
function CancelForm({ session, onClose }: Omit<Props, 'opened'>) {
  const [cancelledBy, setCancelledBy] = useState<CancelledBy | null>(null);
  const [waived, setWaived] = useState(false);
  const [reason, setReason] = useState('');
  const today = useToday();
  const cancel = useCancelSession();
  const proposal = useQuery({
    ...cancellationQuery(session.id, cancelledBy ?? 'tutor'),
    enabled: cancelledBy !== null,
  });
  const fee = formatFee(proposal.data);
  const charged = fee !== null && !waived;

  return (
    <div className={classes.form}>
      <p className={classes.hint}>{session.title}</p>
      <SegmentedControl
        label="Who cancelled?"
        showLabel
        value={cancelledBy}
        options={cancelledByOptions}
        onChange={setCancelledBy}
      />
      {cancelledBy !== null && proposal.isError && (
        <LoadError onRetry={() => void proposal.refetch()}>
          The fee could not be worked out.
        </LoadError>
      )}
      {proposal.data && (
        <div className={classes.fee} data-waived={(fee && waived) || undefined}>
          <span>{proposal.data.reason}</span>
          {fee && (
            <Button variant="light" size="sm" onClick={() => setWaived(!waived)}>
              {waived ? 'Charge' : 'Waive'}
            </Button>
          )}
        </div>
      )}
      {cancelledBy !== null && (
        <TextInput
          label="Reason"
          placeholder="E.g. ill"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <ModalActions
        onCancel={onClose}
        cancelLabel="Keep"
        confirmLabel={charged ? `Cancel and charge ${fee}` : 'Cancel session'}
        busyLabel="Cancelling..."
        isBusy={cancel.isPending}
        // The fee is unknown until the proposal has loaded.
        disabled={cancelledBy === null || !proposal.data}
        color="red"
        onConfirm={() =>
          cancelledBy &&
          cancel.mutate(
            {
              params: { id: session.id },
              body: {
                cancelledBy,
                chargeFee: charged,
                ...(reason.trim() && { reason }),
              },
            },
            {
              onSuccess: () => {
                onClose();
                offerCancellationNotice([session], today);
              },
            },
          )
        }
      />
    </div>
  );
}

const formatFee = (proposal: CancellationProposal | undefined): string | null =>
  proposal?.fee ? formatAmount(proposal.fee, proposal.currency) : null;
