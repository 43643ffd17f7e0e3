import type { DayChange } from '@lessonbook/contract/move-online-or-cancel-days';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { LazyConfirmModal } from '../../components/LazyConfirmModal.tsx';
import { formatShortDate } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import classes from './ChangedDaysList.module.css';
import { describeDayChange, useUndoDayChange } from './day-changes-api.ts';

interface Props {
  changes: readonly DayChange[];
  today: string;
  onExtend: (change: DayChange) => void;
}

const formatDays = ({ fromDate, toDate }: DayChange, today: string): string =>
  fromDate === toDate
    ? formatShortDate(fromDate, today)
    : `${formatShortDate(fromDate, today)} to ${formatShortDate(toDate, today)}`;

/** Days whose lessons were moved online or cancelled together. */
export function ChangedDaysList({ changes, today, onExtend }: Props) {
  const [toUndo, setToUndo] = useState<DayChange | null>(null);
  const undo = useUndoDayChange();
  const shown = useLastValue(toUndo);
  return (
    <>
      <ul className={classes.list}>
        {changes.map((change) => {
          const days = formatDays(change, today);
          return (
            <li key={change.id}>
              <div className={classes.details}>
                <b>{days}</b>
                <small>{describeDayChange(change)}</small>
              </div>
              <Button
                variant="subtle"
                size="sm"
                aria-label={`Add days, ${days}`}
                onClick={() => onExtend(change)}
              >
                Add days
              </Button>
              <Button
                variant="subtle"
                size="sm"
                aria-label={`Undo, ${days}`}
                onClick={() => setToUndo(change)}
              >
                Undo
              </Button>
            </li>
          );
        })}
      </ul>
      <LazyConfirmModal
        title="Undo this change?"
        opened={toUndo !== null}
        onClose={() => setToUndo(null)}
        cancelLabel="Go back"
        confirmLabel="Undo change"
        busyLabel="Undoing..."
        isBusy={undo.isPending}
        onConfirm={() => toUndo && undo.mutate(toUndo.id, { onSuccess: () => setToUndo(null) })}
      >
        <p>
          {shown?.action === 'online'
            ? "Lessons still to come will go back to their usual place, unless you've changed it since."
            : 'Lessons still to come will go ahead again.'}{' '}
          Families who got a message about the change will get one about this, too.
        </p>
      </LazyConfirmModal>
    </>
  );
}
