import { DELETION_GRACE_DAYS } from '@lessonbook/contract/account-deletion-and-erasure';
import type { Export } from '@lessonbook/contract/data-export';
import '@mantine/core/styles/Progress.layer.css';
import { Button, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LazyConfirmModal } from '../components/LazyConfirmModal.tsx';
import { LoadError } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { SettingsLink } from '../components/SettingsRow.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import {
  deletionQuery,
  exportQuery,
  isExportPending,
  useDownloadExport,
  useRequestExport,
  useScheduleDeletion,
} from '../features/privacy/api.ts';
import { type DateContext, formatTimestamp } from '../lib/format-timestamp.ts';
import classes from './SettingsYourData.module.css';

/** Export, import, erasure and account deletion. */
export function SettingsYourDataPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <ExportCard dateContext={tutor} />
      <Card heading="Import and erase">
        <SettingsLink to="/settings/import" label="Import students and lessons" />
        <SettingsLink to="/settings/erase" label="Erase a person permanently" />
      </Card>
      <DeleteAccountCard />
    </NarrowContainer>
  );
}

/** '340 kB', '2.4 MB' */
function formatBytes(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return kilobytes < 1000 ? `${kilobytes} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}

/** Requests an export of all data, shows its progress and offers the download for a day. */
function ExportCard({ dateContext }: { dateContext: DateContext }) {
  const exportResult = useQuery(exportQuery);
  const requestExport = useRequestExport();
  const latest = exportResult.data?.export ?? null;
  const isPending = isExportPending(latest);
  return (
    <Card heading="Export">
      <div className={classes.block}>
        <p className={classes.text}>
          All your records in one zip file: CSV for spreadsheets and JSON for other software.
        </p>
        {exportResult.isError && !exportResult.data && (
          <LoadError onRetry={() => void exportResult.refetch()}>
            We couldn't load your last export.
          </LoadError>
        )}
        {latest && isPending && <ExportProgress file={latest} />}
        {latest?.state === 'ready' && <ExportDownload file={latest} dateContext={dateContext} />}
        {latest?.state === 'failed' && <p role="alert">The export failed. Please try again.</p>}
        {!isPending && (
          <Button
            variant={latest?.state === 'ready' ? 'default' : 'light'}
            disabled={requestExport.isPending}
            onClick={() => requestExport.mutate()}
          >
            {latest?.state === 'ready' ? 'Export again' : 'Export everything'}
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
        Preparing your export: {percent}%. You can leave this page in the meantime.
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

function DeleteAccountCard() {
  const deletion = useQuery(deletionQuery);
  const [isConfirming, setIsConfirming] = useState(false);
  const isScheduled = Boolean(deletion.data?.deletesAt);
  const scheduleDeletion = useScheduleDeletion();
  const close = () => setIsConfirming(false);
  return (
    <Card heading="Delete account">
      <div className={classes.block}>
        <p className={classes.text}>
          {isScheduled
            ? 'Your account is scheduled for deletion. Use the banner above to keep it.'
            : `Everything is permanently deleted after ${DELETION_GRACE_DAYS} days. Until then, you can change your mind. You may want to export your data first.`}
        </p>
        {!isScheduled && (
          <Button
            variant="light"
            color="red"
            disabled={!deletion.data}
            onClick={() => setIsConfirming(true)}
          >
            Delete my account
          </Button>
        )}
      </div>
      <LazyConfirmModal
        title="Delete your account?"
        opened={isConfirming && !isScheduled}
        onClose={close}
        confirmLabel="Delete account"
        busyLabel="Deleting..."
        isBusy={scheduleDeletion.isPending}
        onConfirm={() => scheduleDeletion.mutate(undefined, { onSuccess: close })}
      >
        Your students, families, lessons, payments and invoices will be permanently deleted in{' '}
        {DELETION_GRACE_DAYS} days. We'll email you now, and again when it's done.
      </LazyConfirmModal>
    </Card>
  );
}
