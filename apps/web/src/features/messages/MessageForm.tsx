import {
  type Channel,
  type MessagePreview,
  NO_WAY_TO_PAY_MESSAGE,
} from '@lessonbook/contract/messages';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ResponsiveModal.tsx';
import { getErrorMessage } from '../../lib/query.ts';
import classes from './MessageForm.module.css';
import { ChannelSelect } from './shared/ChannelSelect.tsx';

export interface MessageDraft {
  subject: string;
  text: string;
}

/** The text shown: the default for this recipient and channel until the tutor edits it. Edits are kept per key. */
export function useMessageDraft(key: string, defaultDraft: MessageDraft | undefined) {
  const [edited, setEdited] = useState<Readonly<Record<string, MessageDraft>>>({});
  const draft = edited[key] ?? defaultDraft;
  return {
    draft: draft && { subject: draft.subject, text: draft.text },
    change: ({ subject, text }: MessageDraft) => setEdited({ ...edited, [key]: { subject, text } }),
  };
}

interface MessageFieldsProps {
  channel: Channel;
  draft: MessageDraft;
  onChange: (draft: MessageDraft) => void;
}

/** Subject and text. WhatsApp messages have no subject. */
export function MessageFields({ channel, draft, onChange }: MessageFieldsProps) {
  return (
    <>
      {channel === 'email' && (
        <TextInput
          label="Subject"
          maxLength={200}
          value={draft.subject}
          error={draft.subject.trim() === '' && 'Please enter a subject'}
          onChange={(event) => onChange({ ...draft, subject: event.currentTarget.value })}
        />
      )}
      <Textarea
        label="Message"
        size="md"
        rows={10}
        maxLength={4000}
        value={draft.text}
        error={draft.text.trim() === '' && 'Please write a message'}
        onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
      />
    </>
  );
}

export const isDraftComplete = (channel: Channel, { subject, text }: MessageDraft): boolean =>
  text.trim() !== '' && (channel === 'whatsapp' || subject.trim() !== '');

interface Props {
  channel: Channel;
  onChannelChange: (channel: Channel) => void;
  preview: UseQueryResult<MessagePreview>;
  /** 'Send Reminder' */
  submitLabel: string;
  isBusy: boolean;
  onSend: (draft: MessageDraft) => void;
  /** Set in modals, which have a cancel button. */
  onCancel?: () => void;
  /** Label of the cancel button. */
  cancelLabel?: string;
}

/** Channel, text and send button. Sends the text exactly as shown. */
export function MessageForm({ channel, onChannelChange, preview, onSend, ...rest }: Props) {
  const { draft, change } = useMessageDraft(channel, preview.data);
  const problem = preview.data?.problem;
  const isReady = draft !== undefined && !problem && isDraftComplete(channel, draft);

  function send(event: FormEvent) {
    event.preventDefault();
    if (isReady && !rest.isBusy) onSend(draft);
  }

  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <ChannelSelect value={channel} onChange={onChannelChange} />
      {preview.data && draft && (
        <>
          <p className={classes.to}>
            To {preview.data.toName}
            {preview.data.address && `, ${preview.data.address}`}
          </p>
          {problem && (
            <p className={classes.problem} role="alert">
              {problem}{' '}
              {problem === NO_WAY_TO_PAY_MESSAGE ? (
                <Link to="/settings/business">Add a way to be paid</Link>
              ) : preview.data.address ? null : (
                <Link to="/schedule" search={{ view: 'students' }}>
                  Go to students
                </Link>
              )}
            </p>
          )}
          <MessageFields channel={channel} draft={draft} onChange={change} />
        </>
      )}
      {preview.isPending && <RowSkeleton rows={3} />}
      {preview.isError && !preview.data && (
        <LoadError onRetry={() => void preview.refetch()}>
          {getErrorMessage(preview.error, { errorFallback: 'The message could not be prepared.' })}
        </LoadError>
      )}
      <FormButtons {...rest} disabled={!isReady} />
    </form>
  );
}

type FormButtonsProps = Pick<Props, 'submitLabel' | 'isBusy' | 'onCancel' | 'cancelLabel'> & {
  disabled: boolean;
};

function FormButtons({
  submitLabel,
  isBusy,
  disabled,
  onCancel,
  cancelLabel = 'Not now',
}: FormButtonsProps) {
  if (onCancel) {
    return (
      <ModalActions
        onCancel={onCancel}
        cancelLabel={cancelLabel}
        confirmLabel={submitLabel}
        busyLabel="Sending..."
        isBusy={isBusy}
        disabled={disabled}
      />
    );
  }
  return (
    // Not filled, because the primary button on this page records the payment.
    <Button type="submit" variant="light" fullWidth disabled={disabled || isBusy}>
      {isBusy ? 'Sending...' : submitLabel}
    </Button>
  );
}
