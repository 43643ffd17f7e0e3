import { Button } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { StickyActions } from '../../components/PageLayout.tsx';
import { moneyColumn } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useIssueInvoices } from './api.ts';
import { BulkInvoiceRow } from './BulkInvoiceRow.tsx';
import { canIssue, issueLabel, useInvoices } from './bulk-invoice.ts';
import classes from './InvoiceModals.module.css';
import { formatUpcomingCharges } from './invoice-lines.ts';

interface Props {
  ids: readonly number[];
  today: string;
  onIssued: (ids: number[]) => void;
}

/** One list of everything that is about to go out, ticked beforehand. */
export function BulkInvoiceReview({ ids, today, onIssued }: Props) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const { invoices, isPending, isError, retry } = useInvoices(ids);
  const attempts = useIdempotencyKey();
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

  // While they are being issued they stay in the list, so that nothing vanishes under the hand.
  const drafts = invoices.filter(({ state }) => state === 'draft' || issue.isPending);
  const ticked = drafts.filter((draft) => canIssue(draft) && !left.has(draft.id));
  const amount = moneyColumn(drafts.map(({ total }) => total));
  if (drafts.length === 0) return <NoDraftsLeft />;

  function tick(id: number, on: boolean) {
    const next = new Set(left);
    if (on) next.delete(id);
    else next.add(id);
    setLeft(next);
  }

  function issueAll() {
    const body = { ids: ticked.map(({ id }) => id) };
    issue.mutate(
      { body, idempotencyKey: attempts.nameOf(body) },
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
              ticked={ticked.includes(draft)}
              onTick={(on) => tick(draft.id, on)}
            />
          ))}
        </ul>
      </Card>
      <ImpactNotice>
        {formatUpcomingCharges(ticked) && <p>{formatUpcomingCharges(ticked)}</p>}
        <p className={classes.quiet}>
          Each gets its number and cannot be changed after that. What is not ticked stays a draft.
          Sending them is the next step.
        </p>
      </ImpactNotice>
      <StickyActions>
        <Button
          fullWidth
          size="lg"
          disabled={ticked.length === 0 || issue.isPending}
          onClick={issueAll}
        >
          {issue.isPending ? 'Issuing...' : issueLabel(ticked)}
        </Button>
      </StickyActions>
    </>
  );
}

function NoDraftsLeft() {
  return (
    <Card>
      <EmptyState
        drawing={<Illustration name="register" size={112} />}
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
