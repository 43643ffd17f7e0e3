import { IconAlertTriangle, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { batchesQuery } from '../api.ts';
import { formatBatchSummary } from '../batch-labels.ts';
import classes from './UnfinishedBatches.module.css';

/** Links to the last day's batches that are still running or in which something was not sent. */
export function UnfinishedBatches() {
  const { data } = useQuery(batchesQuery);
  if (!data || data.length === 0) return null;
  return (
    <ul className={classes.list}>
      {data.map((batch) => {
        const Icon = batch.isRunning ? IconSend : IconAlertTriangle;
        return (
          <li key={batch.id} data-running={batch.isRunning}>
            <Icon size={18} stroke={1.8} />
            <span role="status">{formatBatchSummary(batch)}</span>
            <Link to="/batches/$id" params={{ id: String(batch.id) }}>
              View
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
