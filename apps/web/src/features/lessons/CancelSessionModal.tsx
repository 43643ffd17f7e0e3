import { lessonLabel } from '@lessonbook/contract/lesson-names';
import {
  CancelInput,
  type CancellationProposal,
  type SessionRow,
} from '@lessonbook/contract/sessions';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
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
    <ResponsiveModal title="Cancel lesson" opened={opened} onClose={onClose}>
      <CancelForm session={session} onClose={onClose} />
    </ResponsiveModal>
  );
}

/** First asks who cancelled, because the fee depends on it. */
function CancelForm({ session, onClose }: Omit<Props, 'opened'>) {
  const { values, change, onSubmit } = useForm({
    schema: CancelInput,
    initialValues: { cancelledBy: null as CancelledBy | null, waived: false, reason: '' },
    mode: 'controlled',
  });
  const { cancelledBy, waived, reason } = values;
  const today = useToday();
  const cancel = useCancelSession();
  const proposal = useQuery({
    ...cancellationQuery(session.id, cancelledBy ?? 'tutor'),
    enabled: cancelledBy !== null,
  });
  const fee = formatFee(proposal.data);
  const charged = fee !== null && !waived;
  const save = onSubmit(
    (input) =>
      cancel.mutateAsync({
        params: { id: session.id },
        body: {
          cancelledBy: input.cancelledBy as CancelledBy,
          chargeFee: charged,
          ...(input.reason.trim() && { reason: input.reason }),
        },
      }),
    () => {
      onClose();
      offerCancellationNotice([session], today);
    },
  );

  return (
    <div className={classes.form}>
      <p className={classes.hint}>{lessonLabel(session)}</p>
      <SegmentedControl
        label="Who cancelled?"
        showLabel
        value={cancelledBy}
        options={cancelledByOptions}
        onChange={(by) => change({ cancelledBy: by })}
      />
      {cancelledBy !== null && proposal.isError && (
        <LoadError onRetry={() => void proposal.refetch()}>We couldn't work out the fee.</LoadError>
      )}
      {proposal.data && (
        <div className={classes.fee} data-waived={(fee && waived) || undefined}>
          <span>{proposal.data.reason}</span>
          {fee && (
            <Button variant="light" size="sm" onClick={() => change({ waived: !waived })}>
              {waived ? 'Charge' : "Don't charge"}
            </Button>
          )}
        </div>
      )}
      {cancelledBy !== null && (
        <TextInput
          label="Reason"
          placeholder="E.g. ill"
          value={reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
      )}
      <ModalActions
        onCancel={onClose}
        cancelLabel="Keep lesson"
        confirmLabel={charged ? `Cancel and charge ${fee}` : 'Cancel lesson'}
        busyLabel="Cancelling..."
        isBusy={cancel.isPending}
        // The fee is unknown until the proposal has loaded.
        disabled={cancelledBy === null || !proposal.data}
        color="red"
        onConfirm={() => save()}
      />
    </div>
  );
}

const formatFee = (proposal: CancellationProposal | undefined): string | null =>
  proposal?.fee ? formatAmount(proposal.fee, proposal.currency) : null;
