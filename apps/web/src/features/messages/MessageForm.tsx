import type { Channel, MessagePreview } from '@lessonbook/contract/messages';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ResponsiveModal.tsx';
import { errorMessage } from '../../lib/query.ts';
import classes from './MessageForm.module.css';
import { ChannelSelect } from './shared/ChannelSelect.tsx';

export interface MessageDraft {
  subject: string;
  text: string;
}

/** The words in view: what is proposed for this person and way, until the tutor writes something else. */
export function useMessageDraft(to: string, proposed: MessageDraft | undefined) {
  const [own, setOwn] = useState<Readonly<Record<string, MessageDraft>>>({});
  const words = own[to] ?? proposed;
  return {
    words: words && { subject: words.subject, text: words.text },
    change: ({ subject, text }: MessageDraft) => setOwn({ ...own, [to]: { subject, text } }),
  };
}

interface MessageFieldsProps {
  channel: Channel;
  words: MessageDraft;
  onChange: (words: MessageDraft) => void;
}

/** What goes out, to be read and changed. WhatsApp knows no subject. */
export function MessageFields({ channel, words, onChange }: MessageFieldsProps) {
  return (
    <>
      {channel === 'email' && (
        <TextInput
          label="Subject"
          maxLength={200}
          value={words.subject}
          error={words.subject.trim() === '' && 'Please enter a subject'}
          onChange={(event) => onChange({ ...words, subject: event.currentTarget.value })}
        />
      )}
      <Textarea
        label="Message"
        size="md"
        rows={10}
        maxLength={4000}
        value={words.text}
        error={words.text.trim() === '' && 'Please write a message'}
        onChange={(event) => onChange({ ...words, text: event.currentTarget.value })}
      />
    </>
  );
}

export const isComplete = (channel: Channel, { subject, text }: MessageDraft): boolean =>
  text.trim() !== '' && (channel === 'whatsapp' || subject.trim() !== '');

interface Props {
  channel: Channel;
  onChannel: (channel: Channel) => void;
  preview: UseQueryResult<MessagePreview>;
  /** 'Send Reminder' */
  submit: string;
  isBusy: boolean;
  onSend: (words: MessageDraft) => void;
  /** In a sheet there is also a way out. */
  onCancel?: () => void;
  /** 'Not now' unless it leads somewhere. */
  cancel?: string;
}

/** The way, the words, and the button. What is in view is what goes. */
export function MessageForm({ channel, onChannel, preview, onSend, ...rest }: Props) {
  const { words, change } = useMessageDraft(channel, preview.data);
  const problem = preview.data?.problem;
  const isReady = words !== undefined && !problem && isComplete(channel, words);

  function send(event: FormEvent) {
    event.preventDefault();
    if (isReady && !rest.isBusy) onSend(words);
  }

  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <ChannelSelect value={channel} onChange={onChannel} />
      {preview.data && words && (
        <>
          <p className={classes.to}>
            To {preview.data.toName}
            {preview.data.address && `, ${preview.data.address}`}
          </p>
          {problem && (
            <p className={classes.problem} role="alert">
              {problem}{' '}
              <Link to="/schedule" search={{ view: 'students' }}>
                Go to students
              </Link>
            </p>
          )}
          <MessageFields channel={channel} words={words} onChange={change} />
        </>
      )}
      {preview.isPending && <RowSkeleton rows={3} />}
      {preview.isError && !preview.data && (
        <LoadError onRetry={() => void preview.refetch()}>
          {errorMessage(preview.error, { errorFallback: 'The message could not be prepared.' })}
        </LoadError>
      )}
      <FormButtons {...rest} disabled={!isReady} />
    </form>
  );
}

type FormButtonsProps = Pick<Props, 'submit' | 'isBusy' | 'onCancel' | 'cancel'> & {
  disabled: boolean;
};

function FormButtons({ submit, isBusy, disabled, onCancel, cancel = 'Not now' }: FormButtonsProps) {
  if (onCancel) {
    return (
      <ModalActions
        onCancel={onCancel}
        cancel={cancel}
        confirm={submit}
        busy="Sending..."
        isBusy={isBusy}
        disabled={disabled}
      />
    );
  }
  return (
    // The filled button of this page records the payment.
    <Button type="submit" variant="light" fullWidth disabled={disabled || isBusy}>
      {isBusy ? 'Sending...' : submit}
    </Button>
  );
}
