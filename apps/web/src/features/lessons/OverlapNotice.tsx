import type { Overlap } from '@lessonbook/contract/errors';

import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { shortDate, timeRange } from '../../lib/format.ts';
import { useLast } from '../../lib/last.ts';
import { useToday } from '../accounts/api.ts';
import classes from './OverlapNotice.module.css';

const SHOWN = 3;

/** Which lessons are in the way: day and time, then whose. */
export function OverlapDates({ overlaps }: { overlaps: readonly Overlap[] }) {
  const today = useToday();
  const rest = overlaps.length - SHOWN;
  return (
    <ul className={classes.list}>
      {overlaps.slice(0, SHOWN).map((overlap) => (
        <li key={`${overlap.withSessionId} ${overlap.date} ${overlap.startTime}`}>
          <span className={classes.when}>
            {shortDate(overlap.date, today)},{' '}
            {timeRange(overlap.withStartTime, overlap.withEndTime)}
          </span>{' '}
          <b>{overlap.withTitle}</b>
        </li>
      ))}
      {rest > 0 && <li className={classes.when}>and {rest} more</li>}
    </ul>
  );
}

interface Props {
  /** None: the sheet is closed. */
  overlaps: readonly Overlap[] | null;
  confirm?: string;
  onClose: () => void;
  onAccept: () => void;
}

/** Two lessons at once are allowed, but never by accident. */
export function OverlapSheet({ overlaps, confirm = 'Save anyway', onClose, onAccept }: Props) {
  const last = useLast(overlaps);
  return (
    <BottomSheet title="This overlaps" opened={overlaps !== null} onClose={onClose}>
      <p className={classes.words}>
        {last?.length === 1 ? 'Another lesson is' : 'Other lessons are'} at the same time:
      </p>
      <OverlapDates overlaps={last ?? []} />
      <SheetButtons
        cancel="Go back"
        onCancel={onClose}
        confirm={confirm}
        busy="Saving..."
        isBusy={false}
        onConfirm={onAccept}
      />
    </BottomSheet>
  );
}
