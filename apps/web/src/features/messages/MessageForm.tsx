import {
  type Channel,
  type MessagePreview,
  NO_WAY_TO_PAY_MESSAGE,
  ReminderInput,
} from '@lessonbook/contract/messages';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ResponsiveModal.tsx';
import { getErrorMessage } from '../../lib/query.ts';
import { useForm } from '../../lib/use-form.ts';
import classes from './MessageForm.module.css';
import { ChannelSelect } from './shared/ChannelSelect.tsx';

export interface MessageDraft {
  subject: string;
  text: string;
}

const EditedTextsSchema = z.object({
  edited: z.record(z.string(), z.pick(ReminderInput, { subject: true, text: true })),
});

/** The text shown: the default for this recipient and channel until the tutor edits it. Edits are kept per key. */
export function useMessageDraft(
  key: string,
  defaultDraft: MessageDraft | undefined,
  /** Identifies what the message is about, so that its text survives a reload. */
  draftKey: string,
) {
  const form = useForm<{ edited: Readonly<Record<string, MessageDraft>> }>({
    schema: EditedTextsSchema,
    initialValues: { edited: {} },
    mode: 'controlled',
    draft: { key: `message ${draftKey}`, fields: ['edited'] },
  });
  const { edited } = form.values;
  const draft = edited[key] ?? defaultDraft;
  return {
    draft: draft && { subject: draft.subject, text: draft.text },
    change: ({ subject, text }: MessageDraft) => {
      const { [key]: _, ...others } = edited;
      const isDefault = subject === defaultDraft?.subject && text === defaultDraft.text;
      form.change({ edited: isDefault ? others : { ...others, [key]: { subject, text } } });
    },
    onSubmit: form.onSubmit,
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
  /** 'Send reminder' */
  submitLabel: string;
  isBusy: boolean;
  onSend: (draft: MessageDraft) => Promise<unknown>;
  /** Identifies what the message is about, so that its text survives a reload. */
  draftKey: string;
  /** Set in modals, which have a cancel button. */
  onCancel?: () => void;
  /** Label of the cancel button. */
  cancelLabel?: string;
}

/** Channel, text and send button. Sends the text exactly as shown. */
export function MessageForm({
  channel,
  onChannelChange,
  preview,
  onSend,
  draftKey,
  ...rest
}: Props) {
  const { draft, change, onSubmit } = useMessageDraft(channel, preview.data, draftKey);
  const problem = preview.data?.problem;
  const isReady = draft !== undefined && !problem && isDraftComplete(channel, draft);

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !rest.isBusy) onSubmit(() => onSend(draft))();
      }}
    >
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
          {getErrorMessage(preview.error, { errorFallback: "We couldn't prepare the message." })}
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
