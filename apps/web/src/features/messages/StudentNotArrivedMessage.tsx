import type { Channel } from '@lessonbook/contract/messages';
import type { NotArrivedStudent } from '@lessonbook/contract/student-not-arrived-messages';
import { Link } from '@tanstack/react-router';
import { firstName } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { MessageFields } from './MessageFields.tsx';
import classes from './MessageForm.module.css';
import { ChannelSelect } from './shared/ChannelSelect.tsx';
import type { MessageDraft } from './use-message-draft.ts';

/** The tutor's changes, keyed by student id. */
export interface NotArrivedChanges {
  channels: Readonly<Record<string, Channel>>;
  edited: Readonly<Record<string, MessageDraft>>;
}

type NotArrivedDraft = ReturnType<typeof toDraft>;

/** The suggested message with the tutor's changes. */
export function toDraft(student: NotArrivedStudent, { channels, edited }: NotArrivedChanges) {
  const { studentId, subject, text } = student;
  const channel = channels[studentId] ?? student.channels[0]?.channel ?? 'email';
  const option = student.channels.find((each) => each.channel === channel);
  return {
    student,
    channel,
    address: option?.address ?? null,
    problem: option?.problem ?? null,
    subject: edited[studentId]?.subject ?? subject,
    text: edited[studentId]?.text ?? text,
  };
}

interface StudentNotArrivedMessageProps {
  draft: NotArrivedDraft;
  onChannelChange: (channel: Channel) => void;
  onChange: (content: MessageDraft) => void;
}

/** The message about one student, which the tutor can change. */
export function StudentNotArrivedMessage({
  draft,
  onChannelChange,
  onChange,
}: StudentNotArrivedMessageProps) {
  const { student, channel, address, problem } = draft;
  return (
    <>
      <ChannelSelect value={channel} onChange={onChannelChange} />
      <p className={classes.to}>
        To {student.toName}
        {address && `, ${address}`}
      </p>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      <MessageFields channel={channel} draft={draft} onChange={onChange} />
    </>
  );
}

/** What happened to the last message about this student and lesson. */
export function PreviousMessageStatus({
  student,
  dateContext,
}: {
  student: NotArrivedStudent;
  dateContext: DateContext;
}) {
  const { sent } = student;
  if (!sent) return null;
  const name = firstName(sent.toName);
  if (sent.canSendAgain) {
    return (
      <p className={classes.problem} role="alert">
        {sent.state === 'waiting'
          ? `The message to ${name} hasn't been delivered yet. We'll keep trying until the lesson ends. You can send another one instead.`
          : sent.state === 'failed'
            ? `The message to ${name} couldn't be sent. ${sent.problem ?? ''} You can send it again.`
            : `You dismissed the message to ${name}. You can send it again.`}
      </p>
    );
  }
  if (sent.state === 'waiting') return <p>The message to {name} is on its way.</p>;
  if (sent.state === 'draft' || sent.state === 'opened') {
    return (
      <p>
        The message to {name} is waiting in <Link to="/messages">Messages</Link>, for you to send in
        WhatsApp.
      </p>
    );
  }
  return sent.state === 'skipped' ? (
    <p>
      The message to {name} wasn't sent. {sent.problem}
    </p>
  ) : (
    <p>
      {name} was sent this message about {firstName(student.studentName)} (
      {formatTimestamp(sent.at, dateContext)}).
    </p>
  );
}
