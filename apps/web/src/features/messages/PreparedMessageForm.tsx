import {
  type Channel,
  type MessagePreview,
  NO_PAYMENT_METHOD_MESSAGE,
} from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { getErrorMessage } from '../../lib/query-client.ts';
import { MessageFields } from './MessageFields.tsx';
import classes from './MessageForm.module.css';
import { ChannelSelect } from './shared/ChannelSelect.tsx';
import { isDraftComplete, type MessageDraft, useMessageDraft } from './use-message-draft.ts';

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
export function PreparedMessageForm({
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
              {problem === NO_PAYMENT_METHOD_MESSAGE ? (
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
