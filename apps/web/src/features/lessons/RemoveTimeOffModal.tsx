import type { TimeOff } from '@lessonbook/contract/time-off';
import { useState } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize, shortDate, timeRange } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import classes from './SessionModals.module.css';
import { useDeleteTimeOff } from './time-off-api.ts';

/** 'Mon 21 Dec to Fri 1 Jan 2027', 'Tue 17 Nov, 09:00–12:00' */
export function formatTimeOff(off: TimeOff, today: string): string {
  const days =
    off.fromDate === off.toDate
      ? shortDate(off.fromDate, today)
      : `${shortDate(off.fromDate, today)} to ${shortDate(off.toDate, today)}`;
  return off.startTime && off.endTime ? `${days}, ${timeRange(off.startTime, off.endTime)}` : days;
}

interface Props {
  off: TimeOff | null;
  today: string;
  onClose: () => void;
}

export function RemoveTimeOffModal({ off, today, onClose }: Props) {
  const lastOff = useLastValue(off);
  return (
    <ResponsiveModal title="Remove time off?" opened={off !== null} onClose={onClose}>
      {lastOff && <RemoveForm off={lastOff} today={today} onClose={onClose} />}
    </ResponsiveModal>
  );
}

/** Can restore the cancelled sessions, even if other lessons now overlap them. */
function RemoveForm({ off, today, onClose }: Props & { off: TimeOff }) {
  const [restore, setRestore] = useState(off.cancelled > 0);
  const remove = useDeleteTimeOff();
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{formatTimeOff(off, today)}</p>
      {off.cancelled > 0 && (
        <CheckboxField
          label={`Restore ${pluralize(off.cancelled, 'lesson')}`}
          hint="They are scheduled again at their old times."
          checked={restore}
          onChange={setRestore}
        />
      )}
      <ModalActions
        onCancel={onClose}
        cancel="Keep"
        confirm={restore ? `Remove and restore ${off.cancelled}` : 'Remove'}
        busy="Removing..."
        isBusy={remove.isPending}
        color={restore ? 'board' : 'red'}
        onConfirm={() => remove.mutate({ off, restore }, { onSuccess: onClose })}
      />
    </div>
  );
}
