import { Button } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { StickyActions } from '../../components/PageLayout.tsx';
import { createAmountFormatter } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useIssueInvoices } from './api.ts';
import { BulkInvoiceRow } from './BulkInvoiceRow.tsx';
import classes from './InvoiceModals.module.css';
import { formatUpcomingCharges } from './invoice-lines.ts';
import { canIssue, formatIssueLabel, useInvoicesById } from './use-invoices-by-id.ts';

interface Props {
  ids: readonly number[];
  today: string;
  onIssued: (ids: number[]) => void;
}

/** All drafts in one list, preselected. */
export function BulkInvoiceReview({ ids, today, onIssued }: Props) {
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<number>>(new Set());
  const { invoices, isPending, isError, retry } = useInvoicesById(ids);
  const idempotency = useIdempotencyKey();
  const issue = useIssueInvoices();

  if (isPending || isError) {
    return (
      <Card>
        {isPending ? (
          <RowSkeleton rows={Math.min(ids.length, 8)} />
        ) : (
          <LoadError onRetry={() => void retry()}>The drafts could not be loaded.</LoadError>
        )}
      </Card>
    );
  }

  // Drafts stay in the list while they are being issued, so that rows do not disappear during the request.
  const drafts = invoices.filter(({ state }) => state === 'draft' || issue.isPending);
  const selectedDrafts = drafts.filter((draft) => canIssue(draft) && !excludedIds.has(draft.id));
  const amount = createAmountFormatter(drafts.map(({ total }) => total));
  if (drafts.length === 0) return <NoDraftsLeft />;

  function select(id: number, on: boolean) {
    const next = new Set(excludedIds);
    if (on) next.delete(id);
    else next.add(id);
    setExcludedIds(next);
  }

  function issueAll() {
    const body = { ids: selectedDrafts.map(({ id }) => id) };
    issue.mutate(
      { body, idempotencyKey: idempotency.keyFor(body) },
      { onSuccess: () => onIssued(body.ids) },
    );
  }

  return (
    <>
      <Card>
        <ul>
          {drafts.map((draft) => (
            <BulkInvoiceRow
              key={draft.id}
              invoice={draft}
              today={today}
              amount={amount(draft.total, draft.currency)}
              selected={selectedDrafts.includes(draft)}
              onSelect={(on) => select(draft.id, on)}
            />
          ))}
        </ul>
      </Card>
      <ImpactNotice>
        {formatUpcomingCharges(selectedDrafts) && <p>{formatUpcomingCharges(selectedDrafts)}</p>}
        <p className={classes.muted}>
          Each gets its number and cannot be changed after that. What is not ticked stays a draft.
          Sending them is the next step.
        </p>
      </ImpactNotice>
      <StickyActions>
        <Button
          fullWidth
          size="lg"
          disabled={selectedDrafts.length === 0 || issue.isPending}
          onClick={issueAll}
        >
          {issue.isPending ? 'Issuing...' : formatIssueLabel(selectedDrafts)}
        </Button>
      </StickyActions>
    </>
  );
}

function NoDraftsLeft() {
  return (
    <Card>
      <EmptyState
        illustration={<Illustration name="register" size={112} />}
        action={
          <ButtonLink to="/invoices" variant="light">
            Go to invoices
          </ButtonLink>
        }
      >
        These drafts are issued or deleted.
      </EmptyState>
    </Card>
  );
}
