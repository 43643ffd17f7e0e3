import { InvoicePeriod } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Form } from '../../components/Form.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { pluralize } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { invoicesQuery, useDraftAllInvoices } from './api.ts';
import classes from './InvoiceModals.module.css';
import { defaultPeriod, PeriodFields } from './PeriodFields.tsx';

interface Props {
  today: string;
  onReview: (ids: number[]) => void;
}

/** First step of bulk invoicing: choose the period and create the drafts. Nothing is issued yet. */
export function BulkInvoiceDraftStep({ today, onReview }: Props) {
  const [period, setPeriod] = useState(() => defaultPeriod(today));
  const idempotency = useIdempotencyKey();
  const draftAllMutation = useDraftAllInvoices();
  const { from, to, includeUpcoming } = period;
  const body = InvoicePeriod.safeParse({ from, to, includeUpcoming });

  function draftAll() {
    if (!body.success) return;
    draftAllMutation.mutate(
      { body: body.data, idempotencyKey: idempotency.keyFor(body.data) },
      {
        onSuccess: (drafts) => {
          // Drafting the same period again later is a new request, not a repeat.
          idempotency.reset();
          if (drafts.length > 0) onReview(drafts.map(({ id }) => id));
        },
      },
    );
  }

  return (
    <>
      <Card>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            draftAll();
          }}
          submitLabel="Draft invoices"
          busyLabel="Drafting..."
          isBusy={draftAllMutation.isPending}
        >
          <PeriodFields
            period={period}
            onChange={(next) => {
              draftAllMutation.reset();
              setPeriod(next);
            }}
            today={today}
          />
          <ImpactNotice>
            {draftAllMutation.data?.length === 0 ? (
              <p>Nothing is left to invoice in this period.</p>
            ) : (
              <p className={classes.muted}>
                One draft for each payer who has something unpaid that stands on no invoice. You
                look at all of them before any gets its number.
              </p>
            )}
          </ImpactNotice>
        </Form>
      </Card>
      <PendingDrafts onReview={onReview} />
    </>
  );
}

/** Links to drafts left over from earlier, whose lessons are not drafted again. */
function PendingDrafts({ onReview }: Pick<Props, 'onReview'>) {
  const { data } = useInfiniteQuery(invoicesQuery({ state: 'draft', limit: 500 }));
  const drafts = data?.pages.flat() ?? [];
  if (drafts.length === 0) return null;
  return (
    <Button variant="light" onClick={() => onReview(drafts.map(({ id }) => id))}>
      Review {pluralize(drafts.length, 'draft')} from before
    </Button>
  );
}
