import { useUnread } from '../../features/notifications/unread.ts';
import classes from './Badge.module.css';

/** How many notifications are unread; nothing when there are none. */
export function Badge() {
  const unread = useUnread();
  if (unread === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
      <span className={classes.spoken}>{` ${unread} unread`}</span>
    </span>
  );
}
