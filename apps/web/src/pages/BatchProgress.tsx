import type { Batch, BatchItem } from '@lessonbook/contract/invoice-and-reminder-batches';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader, StickyActions } from '../components/PageLayoutParts.tsx';
import { RecordNotFound } from '../components/RecordNotFound.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { batchQuery, useRetryBatch, useStopBatch } from '../features/batches/api.ts';
import { BatchList, BatchTable } from '../features/batches/BatchItems.tsx';
import { countItems, doneLabel, formatBatchTitle } from '../features/batches/batch-labels.ts';
import { formatTotals } from '../lib/format.ts';
import { isNotFound } from '../lib/http.ts';
import classes from './BatchProgress.module.css';

/** What a batch has done and what is left. The batch continues when the page is closed. */
export function BatchProgressPage() {
  const tutor = useTutor();
  const { id } = useParams({ from: '/tutor/batches/$id' });
  const { data: batch, error, refetch } = useQuery(batchQuery(Number(id)));
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  if (!batch) {
    return (
      <>
        <PageHeader back={BACK} />
        <Card>
          {isNotFound(error) ? (
            <RecordNotFound list="invoices">
              We couldn't find this page. Results are only available for a month.
            </RecordNotFound>
          ) : error ? (
            <LoadError onRetry={() => void refetch()}>We couldn't load the progress.</LoadError>
          ) : (
            <RowSkeleton rows={6} />
          )}
        </Card>
      </>
    );
  }
  const action = <BatchAction batch={batch} />;
  return (
    <div className={classes.page}>
      <PageHeader
        title={formatBatchTitle(batch)}
        back={batch.kind === 'send_reminders' ? BACK_TO_MESSAGES : BACK}
        action={!isPhone && action}
      />
      <BatchProgress batch={batch} />
      {isPhone ? (
        <BatchList batch={batch} dateContext={tutor} />
      ) : (
        <BatchTable batch={batch} dateContext={tutor} />
      )}
      {isPhone && <StickyActions>{action}</StickyActions>}
    </div>
  );
}

const BACK = { link: { to: '/invoices' }, label: 'Back to invoices' } as const;
const BACK_TO_MESSAGES = { link: { to: '/messages' }, label: 'Back to messages' } as const;

function BatchAction({ batch }: { batch: Batch }) {
  const stop = useStopBatch();
  const retry = useRetryBatch();
  if (countItems(batch, 'waiting') > 0) {
    return (
      <Button variant="default" disabled={stop.isPending} onClick={() => stop.mutate(batch.id)}>
        Stop after this one
      </Button>
    );
  }
  if (batch.isRunning || batch.notDone === 0) {
    return (
      <ButtonLink to="/invoices" variant="default">
        Go to invoices
      </ButtonLink>
    );
  }
  const verb = batch.kind === 'issue_invoices' ? 'Issue' : 'Send';
  return (
    <Button disabled={retry.isPending} onClick={() => retry.mutate(batch.id)}>
      {verb} the other {batch.notDone === 1 ? 'one' : batch.notDone}
    </Button>
  );
}

function BatchProgress({ batch }: { batch: Batch }) {
  const { isRunning, total, done, notDone, kind } = batch;
  const sum = (items: readonly BatchItem[]) =>
    formatTotals(items.flatMap(({ amount }) => (amount ? [amount] : [])));
  const sumDone = sum(batch.items.filter(({ state }) => state === 'sent' || state === 'issued'));
  const sumAll = sum(batch.items);
  return (
    <Card>
      <div className={classes.summary}>
        <p role="status">
          <b>
            {done} of {total} {doneLabel(kind)}
          </b>
          {notDone > 0 && `, ${notDone} ${notDone === 1 ? 'needs' : 'need'} your attention`}.{' '}
          {isRunning && "You can leave this page. We'll carry on."}
        </p>
        {sumAll && (
          <p>
            <b>{sumDone || formatTotals([{ currency: 'GBP', minor: 0 }])}</b> of {sumAll}
          </p>
        )}
      </div>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done + notDone}
      >
        <i style={{ flexGrow: done }} />
        <i data-failed style={{ flexGrow: notDone }} />
        <i data-open style={{ flexGrow: total - done - notDone }} />
      </div>
    </Card>
  );
}
