import type { TimeOff } from '@lessonbook/contract/time-off';
import { useState } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatShortDate, formatTimeRange, pluralize } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import classes from './SessionModals.module.css';
import { useDeleteTimeOff } from './time-off-api.ts';

/** 'Mon 21 Dec to Fri 1 Jan 2027', 'Tue 17 Nov, 09:00–12:00' */
export function formatTimeOff(timeOff: TimeOff, today: string): string {
  const days =
    timeOff.fromDate === timeOff.toDate
      ? formatShortDate(timeOff.fromDate, today)
      : `${formatShortDate(timeOff.fromDate, today)} to ${formatShortDate(timeOff.toDate, today)}`;
  return timeOff.startTime && timeOff.endTime
    ? `${days}, ${formatTimeRange(timeOff.startTime, timeOff.endTime)}`
    : days;
}

interface Props {
  timeOff: TimeOff | null;
  today: string;
  onClose: () => void;
}

export function RemoveTimeOffModal({ timeOff, today, onClose }: Props) {
  const lastTimeOff = useLastValue(timeOff);
  return (
    <ResponsiveModal title="Remove time off?" opened={timeOff !== null} onClose={onClose}>
      {lastTimeOff && <RemoveForm timeOff={lastTimeOff} today={today} onClose={onClose} />}
    </ResponsiveModal>
  );
}

/** Can restore the cancelled sessions, even if other lessons now overlap them. */
function RemoveForm({ timeOff, today, onClose }: Props & { timeOff: TimeOff }) {
  const [restore, setRestore] = useState(timeOff.restorableSessions > 0);
  const remove = useDeleteTimeOff();
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{formatTimeOff(timeOff, today)}</p>
      {timeOff.restorableSessions > 0 && (
        <CheckboxField
          label={`Restore ${pluralize(timeOff.restorableSessions, 'lesson')}`}
          hint="They are scheduled again at their old times."
          checked={restore}
          onChange={setRestore}
        />
      )}
      <ModalActions
        onCancel={onClose}
        cancelLabel="Keep"
        confirmLabel={restore ? `Remove and restore ${timeOff.restorableSessions}` : 'Remove'}
        busyLabel="Removing..."
        isBusy={remove.isPending}
        color={restore ? 'board' : 'red'}
        onConfirm={() => remove.mutate({ entry: timeOff, restore }, { onSuccess: onClose })}
      />
    </div>
  );
}
