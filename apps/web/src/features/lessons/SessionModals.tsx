import {
  type Attendance,
  CompleteInput,
  type Session,
  type SessionRow,
} from '@lessonbook/contract/sessions';
import { Textarea } from '@mantine/core';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { AttendanceFields } from './AttendanceFields.tsx';
import { useCompleteSession, useReopenSession } from './api.ts';
import { CancelSessionModal } from './CancelSessionModal.tsx';
import { OverlapHint, useOverlaps } from './Overlaps.tsx';
import { RescheduleModal } from './RescheduleModal.tsx';
import classes from './SessionModals.module.css';

interface ReopenModalProps {
  session: Session;
  opened: boolean;
  onClose: () => void;
}

function ReopenModal({ session, opened, onClose }: ReopenModalProps) {
  return (
    <ResponsiveModal title="Reopen" opened={opened} onClose={onClose}>
      <div className={classes.form}>
        {session.invoice ? (
          <InvoicedNotice invoice={session.invoice} />
        ) : (
          <ReopenForm session={session} onClose={onClose} />
        )}
      </div>
    </ResponsiveModal>
  );
}

function ReopenForm({ session, onClose }: Omit<ReopenModalProps, 'opened'>) {
  const reopen = useReopenSession();
  const overlaps = useOverlaps(session, session);
  return (
    <>
      <p className={classes.hint}>{formatReopenImpact(session)}</p>
      <OverlapHint overlaps={overlaps} />
      <ModalActions
        onCancel={onClose}
        confirmLabel={overlaps.length > 0 ? 'Reopen anyway' : 'Reopen'}
        busyLabel="Reopening..."
        isBusy={reopen.isPending}
        onConfirm={() =>
          reopen.mutate(
            { params: { id: session.id }, body: { acceptOverlaps: overlaps.length > 0 } },
            { onSuccess: onClose },
          )
        }
      />
    </>
  );
}

/** An issued invoice is immutable, so its charges can only be credited. */
function InvoicedNotice({ invoice }: { invoice: NonNullable<Session['invoice']> }) {
  return (
    <>
      <p className={classes.hint}>
        This lesson is on invoice {invoice.number}, which has been issued, so it cannot be reopened.
        A credit note on the invoice takes the charge back.
      </p>
      <ButtonLink to="/invoices/$id" params={{ id: String(invoice.id) }}>
        Go to invoice {invoice.number}
      </ButtonLink>
    </>
  );
}

function formatReopenImpact({ title, charged, currency }: Session): string {
  if (!charged) return `${title} is scheduled again.`;
  const amount = formatAmount(charged, currency);
  return `${title} is scheduled again. The charge of ${amount} is taken back; what was paid for it stays as credit.`;
}

interface CompleteModalProps {
  session: SessionRow;
  opened: boolean;
  onClose: () => void;
}

function CompleteModal({ session, opened, onClose }: CompleteModalProps) {
  return (
    <ResponsiveModal title="Mark as Completed" opened={opened} onClose={onClose}>
      <CompleteForm session={session} onClose={onClose} />
    </ResponsiveModal>
  );
}

interface CompleteFormValues {
  attendance: Attendance;
  charge: boolean;
  notes: string;
}

function CompleteForm({ session, onClose }: Omit<CompleteModalProps, 'opened'>) {
  const { values, change, onSubmit } = useForm<CompleteFormValues>({
    schema: CompleteInput,
    initialValues: { attendance: 'attended', charge: true, notes: '' },
    mode: 'controlled',
    draft: { key: `complete ${session.id}`, fields: ['notes'] },
  });
  const complete = useCompleteSession();
  const save = onSubmit(
    ({ notes, ...outcome }) =>
      complete.mutateAsync({
        params: { id: session.id },
        body: { ...outcome, ...(notes.trim() && { notes }) },
      }),
    onClose,
  );
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{session.title}</p>
      <AttendanceFields
        session={session}
        attendance={values.attendance}
        charge={values.charge}
        onAttendanceChange={(attendance) => change({ attendance })}
        onChargeChange={(charge) => change({ charge })}
      />
      <Textarea
        label="Note"
        size="md"
        rows={2}
        value={values.notes}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
      <ModalActions
        onCancel={onClose}
        confirmLabel="Complete"
        busyLabel="Saving..."
        isBusy={complete.isPending}
        onConfirm={() => save()}
      />
    </div>
  );
}

export type SessionModal = 'complete' | 'move' | 'cancel' | 'reopen';

interface Props {
  session: Session;
  today: string;
  openModal: SessionModal | null;
  onClose: () => void;
  onMoved: (to: { id: number }) => void;
}

/** The modals for the session actions. Loaded lazily because of the date picker. */
export function SessionModals({ session, today, openModal, onClose, onMoved }: Props) {
  const sharedProps = { session, onClose };
  return (
    <>
      <CompleteModal {...sharedProps} opened={openModal === 'complete'} />
      <RescheduleModal
        {...sharedProps}
        today={today}
        opened={openModal === 'move'}
        onMoved={onMoved}
      />
      <CancelSessionModal {...sharedProps} opened={openModal === 'cancel'} />
      <ReopenModal {...sharedProps} opened={openModal === 'reopen'} />
    </>
  );
}
