import type { Overlap } from '@lessonbook/contract/errors';
import { IconAlertTriangle } from '@tabler/icons-react';
import { OverlapDates } from './OverlapNotice.tsx';
import classes from './OverlapWarning.module.css';

/** Allowed, but said first. */
export function OverlapWarning({ overlaps }: { overlaps: readonly Overlap[] }) {
  if (overlaps.length === 0) return null;
  return (
    <div className={classes.warning} role="status">
      <p>
        <IconAlertTriangle size={18} stroke={1.8} />
        At the same time as:
      </p>
      <OverlapDates overlaps={overlaps} />
    </div>
  );
}
