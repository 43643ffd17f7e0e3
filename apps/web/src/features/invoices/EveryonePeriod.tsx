import { InvoicePeriod } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Consequence } from '../../components/Consequence.tsx';
import { Form } from '../../components/Form.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { count } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { invoicesQuery, useInvoiceEveryone } from './api.ts';
import classes from './InvoiceSheets.module.css';
import { PeriodFields, usualPeriod } from './PeriodFields.tsx';

interface Props {
  today: string;
  onReview: (ids: number[]) => void;
}

/** The first step: which lessons. Nothing is issued by it. */
export function EveryonePeriod({ today, onReview }: Props) {
  const [period, setPeriod] = useState(() => usualPeriod(today));
  const attempts = useNamedAttempts();
  const everyone = useInvoiceEveryone();
  const { from, to, includeComing } = period;
  const body = InvoicePeriod.safeParse({ from, to, includeComing });

  function draftAll() {
    if (!body.success) return;
    everyone.mutate(
      { body: body.data, attempt: attempts.nameOf(body.data) },
      {
        onSuccess: (drafts) => {
          // The same period may hold something new after the next lesson.
          attempts.forget();
          if (drafts.length > 0) onReview(drafts.map(({ id }) => id));
        },
      },
    );
  }

  return (
    <>
      <Sheet>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            draftAll();
          }}
          submit="Draft invoices"
          busy="Drafting..."
          isBusy={everyone.isPending}
        >
          <PeriodFields
            period={period}
            onChange={(next) => {
              everyone.reset();
              setPeriod(next);
            }}
            today={today}
          />
          <Consequence>
            {everyone.data?.length === 0 ? (
              <p>Nothing is left to invoice in this period.</p>
            ) : (
              <p className={classes.quiet}>
                One draft for each payer who has something unpaid that stands on no invoice. You
                look at all of them before any gets its number.
              </p>
            )}
          </Consequence>
        </Form>
      </Sheet>
      <Waiting onReview={onReview} />
    </>
  );
}

/** Drafts that were left behind: their lessons are drafted no second time, so the way to them is here. */
function Waiting({ onReview }: Pick<Props, 'onReview'>) {
  const { data } = useInfiniteQuery(invoicesQuery({ state: 'draft', limit: 500 }));
  const drafts = data?.pages.flat() ?? [];
  if (drafts.length === 0) return null;
  return (
    <Button variant="light" onClick={() => onReview(drafts.map(({ id }) => id))}>
      Review {count(drafts.length, 'draft')} from before
    </Button>
  );
}
