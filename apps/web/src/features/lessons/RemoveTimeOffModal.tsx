import type { TimeOff } from '@lessonbook/contract/time-off';
import { useState } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import classes from './SessionModals.module.css';
import { useDeleteTimeOff } from './time-off-api.ts';

interface Props {
  timeOff: TimeOff | null;
  describe: (timeOff: TimeOff) => string;
  onClose: () => void;
}

export function RemoveTimeOffModal({ timeOff, describe, onClose }: Props) {
  const lastTimeOff = useLastValue(timeOff);
  return (
    <ResponsiveModal title="Remove time off?" opened={timeOff !== null} onClose={onClose}>
      {lastTimeOff && <RemoveForm timeOff={lastTimeOff} describe={describe} onClose={onClose} />}
    </ResponsiveModal>
  );
}

/** Offers to restore the cancelled sessions, even if other lessons now overlap them. */
function RemoveForm({ timeOff, describe, onClose }: Props & { timeOff: TimeOff }) {
  const [restore, setRestore] = useState(timeOff.restorableSessions > 0);
  const remove = useDeleteTimeOff();
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{describe(timeOff)}</p>
      {timeOff.restorableSessions > 0 && (
        <CheckboxField
          label={`Restore ${pluralize(timeOff.restorableSessions, 'lesson')}`}
          hint="They'll be scheduled again at their old times."
          checked={restore}
          onChange={setRestore}
        />
      )}
      <ModalActions
        onCancel={onClose}
        cancelLabel="Keep time off"
        confirmLabel={restore ? `Remove and restore ${timeOff.restorableSessions}` : 'Remove'}
        busyLabel="Removing..."
        isBusy={remove.isPending}
        color={restore ? 'board' : 'red'}
        onConfirm={() => remove.mutate({ entry: timeOff, restore }, { onSuccess: onClose })}
      />
    </div>
  );
}
