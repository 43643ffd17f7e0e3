import type { MessagePreview } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { CHANNEL_LABELS } from '../messages/shared/ChannelSelect.tsx';
import { reminderPreviewQuery, useStartReminders } from './api.ts';
import classes from './Reminders.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  dateContext: DateContext;
}

export function ReminderPreviewModal({ opened, onClose, dateContext }: Props) {
  return (
    <ResponsiveModal title="Start reminders" opened={opened} onClose={onClose}>
      <ReminderPreview onClose={onClose} dateContext={dateContext} />
    </ResponsiveModal>
  );
}

/** Who would get what and when: to be seen before it starts. */
function ReminderPreview({ onClose, dateContext }: Omit<Props, 'opened'>) {
  const batch = useQuery(reminderPreviewQuery);
  const start = useStartReminders();
  return (
    <div className={classes.form}>
      {batch.isPending && <RowSkeleton rows={3} />}
      {batch.isError && !batch.data && (
        <LoadError onRetry={() => void batch.refetch()}>
          The first reminders could not be worked out.
        </LoadError>
      )}
      {batch.data && (
        <>
          <p className={classes.quiet}>
            {batch.data.length === 0
              ? 'Nothing would go out in the next days. From then on, families are reminded by themselves.'
              : `${pluralize(batch.data.length, 'reminder')} in the next days:`}
          </p>
          <ul className={classes.batch}>
            {batch.data.map((message, index) => (
              <li key={index}>
                <PlannedReminder message={message} dateContext={dateContext} />
              </li>
            ))}
          </ul>
        </>
      )}
      <ModalActions
        onCancel={onClose}
        cancel="Not now"
        confirm="Start reminders"
        busy="Starting..."
        isBusy={start.isPending}
        // Nobody starts what they have not seen.
        disabled={!batch.data}
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
