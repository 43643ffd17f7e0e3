import type { PlannedMessage } from '@lessonbook/contract/reminder-settings';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { CHANNEL_LABELS } from '../messages/shared/channel-labels.ts';
import { firstRemindersPreviewQuery, useStartReminders } from './api.ts';
import { templateLabels } from './message-template-placeholders.ts';
import classes from './Reminders.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  dateContext: DateContext;
}

export function StartRemindersModal({ opened, onClose, dateContext }: Props) {
  return (
    <ResponsiveModal title="Start reminders" opened={opened} onClose={onClose}>
      <ReminderPreview onClose={onClose} dateContext={dateContext} />
    </ResponsiveModal>
  );
}

const NONE_DUE =
  'No reminders are due in the next few days. After that, families will be reminded automatically.';

/** Every message that would be sent in the next few days. The tutor can leave some of them out before starting. */
function ReminderPreview({ onClose, dateContext }: Omit<Props, 'opened'>) {
  const preview = useQuery(firstRemindersPreviewQuery);
  const [excludedKeys, setExcludedKeys] = useState<readonly string[]>([]);
  const start = useStartReminders();
  const toSend = preview.data?.filter(
    ({ key, problem }) => !problem && !excludedKeys.includes(key),
  );

  const select = (key: string, on: boolean) =>
    setExcludedKeys(on ? excludedKeys.filter((each) => each !== key) : [...excludedKeys, key]);

  return (
    <div className={classes.form}>
      {preview.isPending && <RowSkeleton rows={3} />}
      {preview.isError && !preview.data && (
        <LoadError onRetry={() => void preview.refetch()}>
          We couldn't work out the first reminders.
        </LoadError>
      )}
      {preview.data && toSend && (
        <>
          <p className={classes.muted}>
            {preview.data.length === 0
              ? NONE_DUE
              : `${pluralize(toSend.length, 'message')} will be sent in the next few days. Untick any you don't want to send.`}
          </p>
          <ul className={classes.batch}>
            {preview.data.map((message) => (
              <li key={message.key} className={classes.planned}>
                <Checkbox
                  aria-label={`Send to ${message.toName}: ${message.subject}`}
                  checked={!message.problem && !excludedKeys.includes(message.key)}
                  disabled={message.problem !== null}
                  onChange={(on) => select(message.key, on)}
                />
                <PlannedReminder message={message} dateContext={dateContext} />
              </li>
            ))}
          </ul>
        </>
      )}
      <ModalActions
        onCancel={onClose}
        cancelLabel="Not now"
        confirmLabel="Start reminders"
        busyLabel="Starting..."
        isBusy={start.isPending}
        // The tutor must see the preview first.
        disabled={!preview.data}
        onConfirm={() => start.mutate([...excludedKeys], { onSuccess: onClose })}
      />
    </div>
  );
}

function PlannedReminder({
  message,
  dateContext,
}: {
  message: PlannedMessage;
  dateContext: DateContext;
}) {
  const { toName, kind, channel, at, subject, text, problem } = message;
  return (
    <details>
      <summary>
        <b>{toName}</b>, {subject}
        <small>
          {templateLabels[kind]}, {CHANNEL_LABELS[channel]}
          {at && `, ${formatTimestamp(at, dateContext)}`}
        </small>
        {problem && <span className={classes.error}>{problem}</span>}
      </summary>
      <p>{text}</p>
    </details>
  );
}
