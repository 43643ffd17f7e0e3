import type { Channel, MessagePreview } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { ChannelChoice } from '../../components/ChannelChoice.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { failureText } from '../../lib/query.ts';
import { isComplete, MessageFields } from './MessageFields.tsx';
import classes from './MessageForm.module.css';
import { useWords, type Words } from './use-words.ts';

interface Props {
  channel: Channel;
  onChannel: (channel: Channel) => void;
  preview: UseQueryResult<MessagePreview>;
  /** 'Send Reminder' */
  submit: string;
  isBusy: boolean;
  onSend: (words: Words) => void;
  /** In a sheet there is also a way out. */
  onCancel?: () => void;
  /** 'Not now' unless it leads somewhere. */
  cancel?: string;
}

/** The way, the words, and the button. What is in view is what goes. */
export function MessageForm({ channel, onChannel, preview, onSend, ...rest }: Props) {
  const { words, change } = useWords(channel, preview.data);
  const problem = preview.data?.problem;
  const isReady = words !== undefined && !problem && isComplete(channel, words);

  function send(event: FormEvent) {
    event.preventDefault();
    if (isReady && !rest.isBusy) onSend(words);
  }

  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <ChannelChoice value={channel} onChange={onChannel} />
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
          {failureText(preview.error, { errorFallback: 'The message could not be prepared.' })}
        </LoadError>
      )}
      <Foot {...rest} disabled={!isReady} />
    </form>
  );
}

type FootProps = Pick<Props, 'submit' | 'isBusy' | 'onCancel' | 'cancel'> & { disabled: boolean };

function Foot({ submit, isBusy, disabled, onCancel, cancel = 'Not now' }: FootProps) {
  if (onCancel) {
    return (
      <SheetButtons
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
