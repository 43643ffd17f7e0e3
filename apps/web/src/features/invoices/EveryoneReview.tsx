import { Button } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { Spot } from '../../components/Spot.tsx';
import { StickyFoot } from '../../components/StickyFoot.tsx';
import { moneyColumn } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useIssueInvoices } from './api.ts';
import { EveryoneRow } from './EveryoneRow.tsx';
import { canBeIssued, issueWords, useInvoices } from './everyone.ts';
import classes from './InvoiceSheets.module.css';
import { ahead } from './invoice-lines.ts';

interface Props {
  ids: readonly number[];
  today: string;
  onIssued: (ids: number[]) => void;
}

/** One list of everything that is about to go out, ticked beforehand. */
export function EveryoneReview({ ids, today, onIssued }: Props) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const { invoices, isPending, isError, retry } = useInvoices(ids);
  const attempts = useNamedAttempts();
  const issue = useIssueInvoices();

  if (isPending || isError) {
    return (
      <Sheet>
        {isPending ? (
          <RowSkeleton rows={Math.min(ids.length, 8)} />
        ) : (
          <LoadError onRetry={() => void retry()}>The drafts could not be loaded.</LoadError>
        )}
      </Sheet>
    );
  }

  // While they are being issued they stay in the list, so that nothing vanishes under the hand.
  const drafts = invoices.filter(({ state }) => state === 'draft' || issue.isPending);
  const ticked = drafts.filter((draft) => canBeIssued(draft) && !left.has(draft.id));
  const amount = moneyColumn(drafts.map(({ total }) => total));
  if (drafts.length === 0) return <NothingLeft />;

  function tick(id: number, on: boolean) {
    const next = new Set(left);
    if (on) next.delete(id);
    else next.add(id);
    setLeft(next);
  }

  function issueAll() {
    const body = { ids: ticked.map(({ id }) => id) };
    issue.mutate({ body, attempt: attempts.nameOf(body) }, { onSuccess: () => onIssued(body.ids) });
  }

  return (
    <>
      <Sheet>
        <ul>
          {drafts.map((draft) => (
            <EveryoneRow
              key={draft.id}
              invoice={draft}
              today={today}
              amount={amount(draft.total, draft.currency)}
              ticked={ticked.includes(draft)}
              onTick={(on) => tick(draft.id, on)}
            />
          ))}
        </ul>
      </Sheet>
      <Consequence>
        {ahead(ticked) && <p>{ahead(ticked)}</p>}
        <p className={classes.quiet}>
          Each gets its number and cannot be changed after that. What is not ticked stays a draft.
          Sending them is the next step.
        </p>
      </Consequence>
      <StickyFoot>
        <Button
          fullWidth
          size="lg"
          disabled={ticked.length === 0 || issue.isPending}
          onClick={issueAll}
        >
          {issue.isPending ? 'Issuing...' : issueWords(ticked)}
        </Button>
      </StickyFoot>
    </>
  );
}

function NothingLeft() {
  return (
    <Sheet>
      <EmptyState
        drawing={<Spot name="register" size={112} />}
        action={
          <ButtonLink to="/invoices" variant="light">
            Go to invoices
          </ButtonLink>
        }
      >
        These drafts are issued or deleted.
      </EmptyState>
    </Sheet>
  );
}
