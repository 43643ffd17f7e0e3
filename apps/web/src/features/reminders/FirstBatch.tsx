import type { MessagePreview } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { CHANNEL_NAMES } from '../../lib/channel-names.ts';
import { count } from '../../lib/format.ts';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import { firstBatchQuery, useStartReminders } from './api.ts';
import classes from './Reminders.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  wall: Wall;
}

export function FirstBatch({ opened, onClose, wall }: Props) {
  return (
    <BottomSheet title="Start reminders" opened={opened} onClose={onClose}>
      <Batch onClose={onClose} wall={wall} />
    </BottomSheet>
  );
}

/** Who would get what and when: to be seen before it starts. */
function Batch({ onClose, wall }: Omit<Props, 'opened'>) {
  const batch = useQuery(firstBatchQuery);
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
              : `${count(batch.data.length, 'reminder')} in the next days:`}
          </p>
          <ul className={classes.batch}>
            {batch.data.map((message, index) => (
              <li key={index}>
                <Planned message={message} wall={wall} />
              </li>
            ))}
          </ul>
        </>
      )}
      <SheetButtons
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

function Planned({ message, wall }: { message: MessagePreview; wall: Wall }) {
  const { toName, channel, at, subject, text, problem } = message;
  return (
    <details>
      <summary>
        <b>{toName}</b>, {subject}
        <small>
          {CHANNEL_NAMES[channel]}
          {at && `, ${momentInWords(at, wall)}`}
        </small>
        {problem && <span className={classes.error}>{problem}</span>}
      </summary>
      <p>{text}</p>
    </details>
  );
}
