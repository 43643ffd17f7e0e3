import { IconArrowRight, IconCheck, IconClock, IconPoint, IconX } from '@tabler/icons-react';
import classes from './StatusBadge.module.css';

const known = {
  scheduled: { label: 'Scheduled', Icon: IconClock },
  completed: { label: 'Completed', Icon: IconCheck },
  cancelled: { label: 'Cancelled', Icon: IconX },
  rescheduled: { label: 'Rescheduled', Icon: IconArrowRight },
} as const;

/** The state of a session. A value that we do not know stands there in grey, in its own words. */
export function StatusBadge({ status }: { status: string }) {
  const of = known[status as keyof typeof known] ?? { label: words(status), Icon: IconPoint };
  return (
    <span className={classes.badge} data-status={status in known ? status : 'other'}>
      <of.Icon size={14} stroke={2.2} />
      {of.label}
    </span>
  );
}

function words(status: string): string {
  const text = status.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
