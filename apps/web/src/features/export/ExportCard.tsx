import type { Export } from '@lessonbook/contract/export';
import { Button, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { exportQuery, isExportPending, useDownloadExport, useRequestExport } from './api.ts';
import classes from './ExportCard.module.css';

/** '340 kB', '2.4 MB' */
function formatBytes(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return kilobytes < 1000 ? `${kilobytes} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}

/** Requests an export of all data, shows its progress and offers the download for a day. */
export function ExportCard({ dateContext }: { dateContext: DateContext }) {
  const exportResult = useQuery(exportQuery);
  const requestExport = useRequestExport();
  const latest = exportResult.data?.export ?? null;
  const isPending = isExportPending(latest);
  return (
    <Card heading="Export">
      <div className={classes.block}>
        <p className={classes.text}>
          Everything in your book in one zip file: as JSON for programs and as CSV for spreadsheets.
        </p>
        {exportResult.isError && !exportResult.data && (
          <LoadError onRetry={() => void exportResult.refetch()}>
            Your last export could not be looked up.
          </LoadError>
        )}
        {latest && isPending && <ExportProgress file={latest} />}
        {latest?.state === 'ready' && <ExportDownload file={latest} dateContext={dateContext} />}
        {latest?.state === 'failed' && (
          <p role="alert">The file could not be made. Please try again.</p>
        )}
        {!isPending && (
          <Button
            variant={latest?.state === 'ready' ? 'default' : 'light'}
            disabled={requestExport.isPending}
            onClick={() => requestExport.mutate()}
          >
            {latest?.state === 'ready' ? 'Make a new one' : 'Export everything'}
          </Button>
        )}
      </div>
    </Card>
  );
}

function ExportProgress({ file }: { file: Export }) {
  const percent = Math.round((file.done / file.total) * 100);
  return (
    <div className={classes.progress} role="status">
      <Progress value={percent} aria-label="Export" size="lg" />
      <p className={classes.small}>
        Collecting everything: {percent} %. You can leave this page meanwhile.
      </p>
    </div>
  );
}

function ExportDownload({ file, dateContext }: { file: Export; dateContext: DateContext }) {
  const download = useDownloadExport();
  return (
    <div className={classes.ready} role="status">
      <Button
        disabled={download.isPending}
        onClick={() => download.mutate(file)}
        leftSection={<IconDownload size={18} stroke={1.8} />}
      >
        Download ({formatBytes(file.bytes)})
      </Button>
      <p className={classes.small}>Until {formatTimestamp(file.expiresAt, dateContext)}.</p>
    </div>
  );
}
