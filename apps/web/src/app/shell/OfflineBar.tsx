import { instantAt } from '@lessonbook/contract/time';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../features/accounts/me.ts';
import { momentInWords } from '../../lib/moments.ts';
import { outOfReachWords, useOnline } from '../../lib/reach.ts';
import classes from './OfflineBar.module.css';

/**
 * Above the page, in its flow. What is on the screen was true when the server last said who is signed in: with that answer
 * comes whether anything has changed.
 */
export function OfflineBar() {
  const online = useOnline();
  const { data: user, dataUpdatedAt } = useQuery(meQuery);
  const asOf = user && momentInWords(instantAt(dataUpdatedAt).toISOString(), user);
  return (
    <div role="status" className={classes.place}>
      {!online && (
        <p className={classes.bar}>
          <b>{outOfReachWords()}.</b> {asOf && `What you see is from ${asOf}.`}
        </p>
      )}
    </div>
  );
}
