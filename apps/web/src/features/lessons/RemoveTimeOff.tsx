import type { TimeOff } from '@lessonbook/contract/time-off';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { CheckField } from '../../components/CheckField.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { count } from '../../lib/format.ts';
import { useLast } from '../../lib/last.ts';
import classes from './SessionSheets.module.css';
import { useDeleteTimeOff } from './time-off-api.ts';
import { timeOffInWords } from './time-off-words.ts';

interface Props {
  off: TimeOff | null;
  today: string;
  onClose: () => void;
}

export function RemoveTimeOff({ off, today, onClose }: Props) {
  const last = useLast(off);
  return (
    <BottomSheet title="Remove time off?" opened={off !== null} onClose={onClose}>
      {last && <RemoveForm off={last} today={today} onClose={onClose} />}
    </BottomSheet>
  );
}

/** What it cancelled may come back with it; lessons that are in the way by then stay beside. */
function RemoveForm({ off, today, onClose }: Props & { off: TimeOff }) {
  const [restore, setRestore] = useState(off.cancelled > 0);
  const remove = useDeleteTimeOff();
  return (
    <div className={classes.sheet}>
      <p className={classes.hint}>{timeOffInWords(off, today)}</p>
      {off.cancelled > 0 && (
        <CheckField
          label={`Restore ${count(off.cancelled, 'lesson')}`}
          hint="They are scheduled again at their old times."
          checked={restore}
          onChange={setRestore}
        />
      )}
      <SheetButtons
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
