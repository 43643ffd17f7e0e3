import { isGroup, lessonLabel } from '@lessonbook/contract/lesson-names';
import {
  CancelInput,
  type CancellationProposal,
  type SessionRow,
  type SessionStudent,
} from '@lessonbook/contract/sessions';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { firstName, formatAmount } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useToday } from '../accounts/api.ts';
import { cancellationQuery, useCancelSession } from './api.ts';
import { seatCancellationQuery, useCancelSeat } from './group-lessons-api.ts';
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
  /** If set, only this student's place in the group is cancelled. */
  seat?: SessionStudent;
  opened: boolean;
  onClose: () => void;
}

export function CancelSessionModal({ opened, ...form }: Props) {
  const { seat, onClose } = form;
  return (
    <ResponsiveModal
      title={seat ? `Cancel for ${firstName(seat.name)}` : 'Cancel lesson'}
      opened={opened}
      onClose={onClose}
    >
      <CancelForm {...form} />
    </ResponsiveModal>
  );
}

/** First asks who cancelled, because the fee depends on it. */
function CancelForm({ session, seat, onClose }: Omit<Props, 'opened'>) {
  const { values, change, onSubmit } = useForm({
    schema: CancelInput,
    initialValues: { cancelledBy: null as CancelledBy | null, waived: false, reason: '' },
    mode: 'controlled',
  });
  const { cancelledBy, waived, reason } = values;
  const today = useToday();
  const cancelSession = useCancelSession();
  const cancelSeat = useCancelSeat();
  const party = cancelledBy ?? 'tutor';
  const seatParams = { id: session.id, studentId: seat?.studentId ?? 0 };
  const sessionProposal = useQuery({
    ...cancellationQuery(session.id, party),
    enabled: cancelledBy !== null && !seat,
  });
  const seatProposal = useQuery({
    ...seatCancellationQuery(seatParams, party),
    enabled: cancelledBy !== null && seat !== undefined,
  });
  const proposal = seat ? seatProposal : sessionProposal;
  const fee = formatFee(proposal.data);
  const charged = fee !== null && !waived;
  const save = onSubmit(
    (input) => {
      const body = {
        cancelledBy: input.cancelledBy as CancelledBy,
        chargeFee: charged,
        ...(input.reason.trim() && { reason: input.reason }),
      };
      return seat
        ? cancelSeat.mutateAsync({ params: seatParams, body })
        : cancelSession.mutateAsync({ params: { id: session.id }, body });
    },
    () => {
      onClose();
      offerCancellationNotice([session], today);
    },
  );

  return (
    <div className={classes.form}>
      <p className={classes.hint}>{lessonLabel(session)}</p>
      {isGroup(session) && <p className={classes.hint}>{formatAffected(session, seat)}</p>}
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
        cancelLabel={seat ? 'Keep place' : 'Keep lesson'}
        confirmLabel={
          charged ? `Cancel and charge ${fee}` : seat ? 'Cancel place' : 'Cancel lesson'
        }
        busyLabel="Cancelling..."
        isBusy={cancelSession.isPending || cancelSeat.isPending}
        // The fee is unknown until the proposal has loaded.
        disabled={cancelledBy === null || !proposal.data}
        color="red"
        onConfirm={() => save()}
      />
    </div>
  );
}

/** Says who is affected: one student, the only student still expected, or all of them. */
function formatAffected(session: SessionRow, seat: SessionStudent | undefined): string {
  if (seat) return 'The lesson will go ahead for the other students.';
  const expected = session.students.filter(({ state }) => state === 'expected');
  const [first] = expected;
  return expected.length === 1 && first
    ? `${firstName(first.name)} is the only student still expected, so this will cancel the lesson.`
    : `This will cancel the lesson for all ${expected.length} students.`;
}

const formatFee = (proposal: CancellationProposal | undefined): string | null =>
  proposal?.fee ? formatAmount(proposal.fee, proposal.currency) : null;
