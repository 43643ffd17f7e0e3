import { formatTime12 } from '@lessonbook/contract/format-time';
import { isGroup, lessonLabel } from '@lessonbook/contract/lesson-names';
import {
  type Attendance,
  CompleteInput,
  type Session,
  type SessionRow,
} from '@lessonbook/contract/sessions';
import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount, formatRelativeDate } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import {
  AttendanceFields,
  SeatAttendanceFields,
  type SeatOutcomes,
  toSeatInput,
} from './AttendanceFields.tsx';
import { lessonQuery, useCompleteSession, useReopenSession } from './api.ts';
import { CancelSessionModal } from './CancelSessionModal.tsx';
import {
  type CompletionNote,
  CompletionNoteFields,
  NEW_NOTE,
  toNoteInput,
} from './FamilyNoteFields.tsx';
import { OverlapHint, useOverlaps } from './OverlapAndConflictWarnings.tsx';
import { RescheduleModal } from './RescheduleModal.tsx';
import classes from './SessionModals.module.css';

const EditLessonDialog = lazy(async () => ({
  default: (await import('./EditLessonDialog.tsx')).EditLessonDialog,
}));
const DeleteLessonModal = lazy(async () => ({
  default: (await import('./DeleteLessonModal.tsx')).DeleteLessonModal,
}));

interface ReopenModalProps {
  session: Session;
  opened: boolean;
  onClose: () => void;
}

function ReopenModal({ session, opened, onClose }: ReopenModalProps) {
  return (
    <ResponsiveModal
      title={session.invoice ? "This lesson can't be reopened" : 'Reopen this lesson?'}
      opened={opened}
      onClose={onClose}
    >
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
        confirmLabel={overlaps.length > 0 ? 'Reopen anyway' : 'Reopen lesson'}
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
        It's on invoice {invoice.number}, which has been issued. To reverse the charge, create a
        credit note for that invoice.
      </p>
      <ButtonLink to="/invoices/$id" params={{ id: String(invoice.id) }}>
        Go to invoice {invoice.number}
      </ButtonLink>
    </>
  );
}

function formatReopenImpact({ charged, currency, ...session }: Session): string {
  const label = lessonLabel(session);
  const notes =
    session.status === 'completed' ? ' Notes you shared with families stay shared.' : '';
  if (!charged) return `${label} will be scheduled again.${notes}`;
  const amount = formatAmount(charged, currency);
  return `${label} will be scheduled again. The charge of ${amount} will be reversed. Anything already paid for it will become credit.${notes}`;
}

interface CompleteModalProps {
  session: SessionRow;
  today: string;
  opened: boolean;
  onClose: () => void;
}

function CompleteModal({ opened, ...form }: CompleteModalProps) {
  return (
    <ResponsiveModal title="Complete lesson" opened={opened} onClose={form.onClose}>
      <CompleteForm {...form} />
    </ResponsiveModal>
  );
}

interface CompleteFormValues {
  attendance: Attendance;
  charge: boolean;
  notes: string;
  note: CompletionNote;
  seats: SeatOutcomes;
}

function CompleteForm({ session, today, onClose }: Omit<CompleteModalProps, 'opened'>) {
  const isEarly = session.date > today;
  const { values, change, onSubmit } = useForm<CompleteFormValues>({
    schema: CompleteInput,
    initialValues: { attendance: 'attended', charge: true, notes: '', note: NEW_NOTE, seats: {} },
    mode: 'controlled',
    draft: { key: `complete ${session.id}`, fields: ['notes', 'note'] },
  });
  const complete = useCompleteSession();
  const save = onSubmit(
    ({ notes, note, seats, ...outcome }) =>
      complete.mutateAsync({
        params: { id: session.id },
        body: {
          ...outcome,
          ...(isGroup(session) && { students: toSeatInput(session, seats) }),
          ...(notes.trim() && { notes }),
          ...toNoteInput(note),
        },
      }),
    onClose,
  );
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{lessonLabel(session)}</p>
      {isEarly && (
        <ImpactNotice>
          <p>
            <b>This lesson hasn't taken place yet.</b> It's{' '}
            {formatRelativeDate(session.date, today)} at {formatTime12(session.startTime)}.
          </p>
        </ImpactNotice>
      )}
      {isGroup(session) ? (
        <SeatAttendanceFields
          session={session}
          outcomes={values.seats}
          onChange={(seats) => change({ seats })}
        />
      ) : (
        <AttendanceFields
          session={session}
          attendance={values.attendance}
          charge={values.charge}
          onAttendanceChange={(attendance) => change({ attendance })}
          onChargeChange={(charge) => change({ charge })}
        />
      )}
      <Textarea
        label="Note"
        description="Only you see this."
        size="md"
        rows={2}
        value={values.notes}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
      <CompletionNoteFields
        session={session}
        today={today}
        isShown
        note={values.note}
        onChange={(note) => change({ note })}
      />
      <ModalActions
        onCancel={onClose}
        confirmLabel={isEarly ? 'Complete early' : 'Complete lesson'}
        busyLabel="Saving..."
        isBusy={complete.isPending}
        onConfirm={() => save()}
      />
    </div>
  );
}

export type SessionModal =
  | 'complete'
  | 'move'
  | 'cancel'
  | 'reopen'
  | 'edit'
  | 'edit-series'
  | 'delete';

interface Props {
  session: Session;
  today: string;
  openModal: SessionModal | null;
  onClose: () => void;
  onMoved: (to: { id: number }) => void;
  onDeleted: () => void;
}

/** The modals for the session actions. Loaded lazily because of the date picker. */
export function SessionModals({ session, today, openModal, onClose, onMoved, onDeleted }: Props) {
  const sharedProps = { session, onClose };
  return (
    <>
      <CompleteModal {...sharedProps} today={today} opened={openModal === 'complete'} />
      <RescheduleModal
        {...sharedProps}
        today={today}
        opened={openModal === 'move'}
        onMoved={onMoved}
      />
      <CancelSessionModal {...sharedProps} opened={openModal === 'cancel'} />
      <ReopenModal {...sharedProps} opened={openModal === 'reopen'} />
      <LessonModals
        {...sharedProps}
        openModal={openModal}
        onMoved={onMoved}
        onDeleted={onDeleted}
      />
    </>
  );
}

/** The modals that need the whole lesson. The scope defaults to this session, or to the series when editing the series. */
function LessonModals({ session, openModal, onClose, onMoved, onDeleted }: Omit<Props, 'today'>) {
  const isEdit = openModal === 'edit' || openModal === 'edit-series';
  const lastOpened = useLastValue(isEdit || openModal === 'delete' ? openModal : null);
  const { data: lesson } = useQuery({
    ...lessonQuery(session.lessonId),
    enabled: lastOpened !== null,
  });
  if (!lesson || lastOpened === null) return null;
  return (
    <Suspense fallback={null}>
      {lastOpened !== 'delete' && (
        <EditLessonDialog
          key={lastOpened}
          opened={isEdit}
          onClose={onClose}
          edit={{ lesson, session, from: lastOpened === 'edit' ? 'session' : 'lesson' }}
          onSaved={({ sessionId }) => {
            if (sessionId !== null && sessionId !== session.id) onMoved({ id: sessionId });
          }}
        />
      )}
      {lastOpened === 'delete' && (
        <DeleteLessonModal
          lesson={lesson}
          session={session}
          opened={openModal === 'delete'}
          onClose={onClose}
          onDeleted={onDeleted}
        />
      )}
    </Suspense>
  );
}
