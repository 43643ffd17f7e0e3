import { fromEpochMs } from '@lessonbook/contract/time';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../features/accounts/current-user.ts';
import { formatTimestamp } from '../../lib/format-timestamp.ts';
import { offlineMessage, useOnline } from '../../lib/network-status.ts';
import classes from './OfflineBar.module.css';

/**
 * Shows how old the data is, counted from the last response about the current user, because that response also reports
 * whether anything has changed.
 */
export function OfflineBar() {
  const online = useOnline();
  return (
    <div role="status" className={classes.container}>
      {!online && (
        <p className={classes.bar}>
          <b>{offlineMessage()}.</b> <DataAge />
        </p>
      )}
    </div>
  );
}

/** A separate component, because on a slow phone the first date formatting takes longer than the rest of the shell. */
function DataAge() {
  const { data: user, dataUpdatedAt } = useQuery(meQuery);
  return user && `Last updated ${formatTimestamp(fromEpochMs(dataUpdatedAt).toISOString(), user)}.`;
}
