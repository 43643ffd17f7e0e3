import type { TimeOff } from '@lessonbook/contract/time-off';
import { IconBeach } from '@tabler/icons-react';
import classes from './TimeOffTag.module.css';
import { timeOffLabel } from './time-off-in-calendar.ts';

/** A small label on the hatched background of the calendar. */
export function TimeOffTag({ entry, iconOnly }: { entry: TimeOff; iconOnly?: boolean }) {
  return (
    <span className={classes.tag} data-icon-only={iconOnly || undefined} aria-hidden="true">
      <IconBeach size={14} stroke={1.8} />
      {!iconOnly && <span>{timeOffLabel(entry)}</span>}
    </span>
  );
}
