import type { MessagePreview } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { CHANNEL_LABELS } from '../messages/shared/channel-labels.ts';
import { firstRemindersPreviewQuery, useStartReminders } from './api.ts';
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

/** The first reminders, shown before the tutor turns reminders on. */
function ReminderPreview({ onClose, dateContext }: Omit<Props, 'opened'>) {
  const preview = useQuery(firstRemindersPreviewQuery);
  const start = useStartReminders();
  return (
    <div className={classes.form}>
      {preview.isPending && <RowSkeleton rows={3} />}
      {preview.isError && !preview.data && (
        <LoadError onRetry={() => void preview.refetch()}>
          The first reminders could not be worked out.
        </LoadError>
      )}
      {preview.data && (
        <>
          <p className={classes.muted}>
            {preview.data.length === 0
              ? 'Nothing would go out in the next days. From then on, families are reminded by themselves.'
              : `${pluralize(preview.data.length, 'reminder')} in the next days:`}
          </p>
          <ul className={classes.batch}>
            {preview.data.map((message, index) => (
              <li key={index}>
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
        onConfirm={() => start.mutate(undefined, { onSuccess: onClose })}
      />
    </div>
  );
}

function PlannedReminder({
  message,
  dateContext,
}: {
  message: MessagePreview;
  dateContext: DateContext;
}) {
  const { toName, channel, at, subject, text, problem } = message;
  return (
    <details>
      <summary>
        <b>{toName}</b>, {subject}
        <small>
          {CHANNEL_LABELS[channel]}
          {at && `, ${formatTimestamp(at, dateContext)}`}
        </small>
        {problem && <span className={classes.error}>{problem}</span>}
      </summary>
      <p>{text}</p>
    </details>
  );
}
