import type { Export } from '@lessonbook/contract/own-data';
import { Button, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/LoadError.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import { exportAddress, exportQuery, isInTheMaking, useAskForExport } from './api.ts';
import classes from './OwnData.module.css';
import { sizeInWords } from './size.ts';

/** Everything as a file: asked for, watched while it is made, and there for a day. */
export function ExportSheet({ wall }: { wall: Wall }) {
  const file = useQuery(exportQuery);
  const ask = useAskForExport();
  const latest = file.data?.export ?? null;
  const making = isInTheMaking(latest);
  return (
    <Sheet heading="Export">
      <div className={classes.block}>
        <p className={classes.words}>
          Everything in your book in one zip file: as JSON for programs and as CSV for spreadsheets.
        </p>
        {file.isError && !file.data && (
          <LoadError onRetry={() => void file.refetch()}>
            Your last export could not be looked up.
          </LoadError>
        )}
        {latest && making && <Making file={latest} />}
        {latest?.state === 'ready' && <Ready file={latest} wall={wall} />}
        {latest?.state === 'failed' && (
          <p role="alert">The file could not be made. Please try again.</p>
        )}
        {!making && (
          <Button
            variant={latest?.state === 'ready' ? 'default' : 'light'}
            disabled={ask.isPending}
            onClick={() => ask.mutate()}
          >
            {latest?.state === 'ready' ? 'Make a new one' : 'Export everything'}
          </Button>
        )}
      </div>
    </Sheet>
  );
}

function Making({ file }: { file: Export }) {
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

function Ready({ file, wall }: { file: Export; wall: Wall }) {
  return (
    <div className={classes.ready} role="status">
      <Button
        component="a"
        href={exportAddress(file)}
        download
        leftSection={<IconDownload size={18} stroke={1.8} />}
      >
        Download ({sizeInWords(file.bytes)})
      </Button>
      <p className={classes.small}>Until {momentInWords(file.expiresAt, wall)}.</p>
    </div>
  );
}
