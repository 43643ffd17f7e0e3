import { CHANNELS, type Message, ReminderInput } from '@lessonbook/contract/messages';
import type { NotArrivedStudent } from '@lessonbook/contract/student-not-arrived-messages';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Checkbox } from '../../components/Checkbox.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { firstName, pluralize } from '../../lib/format.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { toasts } from '../../lib/toast.ts';
import { useForm } from '../../lib/use-form.ts';
import { notArrivedQuery, useSendNotArrived } from './api.ts';
import classes from './MessageForm.module.css';
import { PendingWhatsAppDraft } from './PendingWhatsAppDraft.tsx';
import recipientClasses from './RecipientList.module.css';
import {
  type NotArrivedChanges,
  PreviousMessageStatus,
  StudentNotArrivedMessage,
  toDraft,
} from './StudentNotArrivedMessage.tsx';
import { isDraftComplete } from './use-message-draft.ts';
import { useSendMessage } from './use-send-message.ts';

interface Props {
  sessionId: number;
  dateContext: DateContext;
  opened: boolean;
  onClose: () => void;
}

/** The message saying that a student hasn't arrived: its recipient and the exact text. */
export function StudentNotArrivedModal({ opened, ...form }: Props) {
  return (
    <ResponsiveModal title="Hasn't arrived" opened={opened} onClose={form.onClose}>
      <StudentNotArrived {...form} />
    </ResponsiveModal>
  );
}

function StudentNotArrived({ sessionId, dateContext, onClose }: Omit<Props, 'opened'>) {
  const preview = useQuery(notArrivedQuery(sessionId));
  if (preview.data) {
    return (
      <StudentNotArrivedForm
        sessionId={sessionId}
        students={preview.data}
        dateContext={dateContext}
        onClose={onClose}
      />
    );
  }
  if (preview.isPending) return <RowSkeleton rows={3} />;
  return (
    <LoadError onRetry={() => void preview.refetch()}>
      {getErrorMessage(preview.error, { errorFallback: "We couldn't prepare the message." })}
    </LoadError>
  );
}

const FormSchema = z.object({
  chosen: z.array(z.number()),
  channels: z.record(z.string(), z.enum(CHANNELS)),
  edited: z.record(z.string(), z.pick(ReminderInput, { subject: true, text: true })),
});

interface FormValues extends NotArrivedChanges {
  /** Ids of the students of a group who are missing. */
  chosen: readonly number[];
}

interface FormProps extends Omit<Props, 'opened'> {
  students: readonly NotArrivedStudent[];
}

function StudentNotArrivedForm({ sessionId, students, dateContext, onClose }: FormProps) {
  const [whatsAppDraft, setWhatsAppDraft] = useState<Message | null>(null);
  const isGroup = students.length > 1;
  const open = students.filter(canBeSent);
  const { values, change, onSubmit } = useForm<FormValues>({
    schema: FormSchema,
    initialValues: {
      chosen: [],
      channels: {},
      edited: {},
    },
    mode: 'controlled',
  });
  const { mutateAsync, isPending } = useSendNotArrived();
  const navigate = useNavigate();
  const chosen = open
    .filter(({ studentId }) => !isGroup || values.chosen.includes(studentId))
    .map((student) => toDraft(student, values));
  const drafts = chosen.filter(({ channel }) => channel === 'whatsapp').length;
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp' && chosen.length === 1) return setWhatsAppDraft(message);
    if (drafts > 0) {
      const run = () => void navigate({ to: '/messages' });
      toasts.add({
        kind: 'success',
        title: `${pluralize(drafts, 'message')} to send in WhatsApp`,
        action: { label: 'Open', run },
      });
    }
    onClose();
  });

  if (whatsAppDraft) return <PendingWhatsAppDraft message={whatsAppDraft} onDone={onClose} />;

  const body = {
    messages: chosen.map(({ student, channel, subject, text }) => ({
      studentId: student.studentId,
      channel,
      subject,
      text,
      replacesMessageId: student.sent?.messageId ?? null,
    })),
  };
  const request = { params: { id: sessionId }, body };
  const isReady =
    chosen.length > 0 &&
    chosen.every((draft) => !draft.problem && isDraftComplete(draft.channel, draft));
  const [first] = chosen;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit(() =>
        send(drafts > 0 ? 'whatsapp' : 'email', request, chosen.length === 1),
      )}
    >
      {isGroup && (
        <StudentList
          students={students}
          chosen={values.chosen}
          onChange={(ids) => change({ chosen: ids })}
        />
      )}
      {students.map((student) => {
        const draft = chosen.find((each) => each.student === student);
        return (
          <section
            key={student.studentId}
            className={classes.form}
            aria-label={student.studentName}
          >
            {student.sent && <PreviousMessageStatus student={student} dateContext={dateContext} />}
            {draft && (
              <StudentNotArrivedMessage
                draft={draft}
                onChannelChange={(channel) =>
                  change({ channels: { ...values.channels, [student.studentId]: channel } })
                }
                onChange={(content) =>
                  change({ edited: { ...values.edited, [student.studentId]: content } })
                }
              />
            )}
          </section>
        );
      })}
      {open.length === 0 ? (
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      ) : (
        <>
          <p className={classes.to}>This doesn't mark anyone as absent.</p>
          <ModalActions
            onCancel={onClose}
            cancelLabel="Not now"
            confirmLabel={
              first && chosen.length === 1
                ? `Send to ${firstName(first.student.toName)}`
                : `Send ${pluralize(chosen.length, 'message')}`
            }
            busyLabel="Sending..."
            isBusy={isPending}
            disabled={!isReady}
          />
        </>
      )}
    </form>
  );
}

const canBeSent = ({ sent }: NotArrivedStudent): boolean => sent === null || sent.canSendAgain;

interface StudentListProps {
  students: readonly NotArrivedStudent[];
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
}

/** Who is missing in a group. */
const StudentList = ({ students, chosen, onChange }: StudentListProps) => (
  <fieldset className={classes.group}>
    <legend>Who is missing?</legend>
    <ul className={recipientClasses.people}>
      {students.map((student) => (
        <li key={student.studentId}>
          <label>
            <Checkbox
              checked={chosen.includes(student.studentId)}
              disabled={!canBeSent(student)}
              onChange={(on) =>
                onChange(
                  on
                    ? [...chosen, student.studentId]
                    : chosen.filter((id) => id !== student.studentId),
                )
              }
            />
            <span>{student.studentName}</span>
          </label>
        </li>
      ))}
    </ul>
  </fieldset>
);
