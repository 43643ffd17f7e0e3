import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import classes from './EveryoneResult.module.css';
import type { Sending } from './send-all.ts';

/** As icon and word; why one did not go, in full. */
export function SendingState({ of }: { of: Sending | undefined }) {
  if (!of) return null;
  if (of === 'sending') {
    return (
      <span className={classes.sending}>
        <IconClock size={14} stroke={2.2} />
        Sending...
      </span>
    );
  }
  if (of === 'sent') {
    return (
      <span className={classes.sending} data-sent>
        <IconCheck size={14} stroke={2.6} />
        E-mail on its way
      </span>
    );
  }
  return (
    <span className={classes.sending} data-failed>
      <IconAlertTriangle size={14} stroke={2.2} />
      {of.problem}
    </span>
  );
}
