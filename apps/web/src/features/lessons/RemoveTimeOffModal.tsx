import type { TimeOff } from '@lessonbook/contract/time-off';
import { useState } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { formatTimeOff } from './lesson-format.ts';
import classes from './SessionModals.module.css';
import { useDeleteTimeOff } from './time-off-api.ts';

interface Props {
  off: TimeOff | null;
  today: string;
  onClose: () => void;
}

export function RemoveTimeOffModal({ off, today, onClose }: Props) {
  const last = useLastValue(off);
  return (
    <ResponsiveModal title="Remove time off?" opened={off !== null} onClose={onClose}>
      {last && <RemoveForm off={last} today={today} onClose={onClose} />}
    </ResponsiveModal>
  );
}

/** What it cancelled may come back with it; lessons that are in the way by then stay beside. */
function RemoveForm({ off, today, onClose }: Props & { off: TimeOff }) {
  const [restore, setRestore] = useState(off.cancelled > 0);
  const remove = useDeleteTimeOff();
  return (
    <div className={classes.sheet}>
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
