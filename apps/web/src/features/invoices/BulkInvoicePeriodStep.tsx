import { InvoicePeriod } from '@lessonbook/contract/invoice-inputs';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { Form } from '../../components/Form.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { pluralize } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { invoicesQuery, useDraftAllInvoices } from './api.ts';
import classes from './InvoiceModals.module.css';
import { type ChosenPeriod, defaultPeriod, PeriodFields } from './PeriodFields.tsx';

interface Props {
  today: string;
  onReview: (ids: number[]) => void;
}

interface PeriodFormValues {
  period: ChosenPeriod;
}

const toInput = ({ period: { from, to, includeUpcoming } }: PeriodFormValues) => ({
  from,
  to,
  includeUpcoming,
});

const PeriodFormSchema = z.pipe(
  z.transform<PeriodFormValues, z.input<typeof InvoicePeriod>>(toInput),
  InvoicePeriod,
);

/** First step of bulk invoicing: choose the period and create the drafts. Nothing is issued yet. */
export function BulkInvoicePeriodStep({ today, onReview }: Props) {
  const { values, change, onSubmit, keyFor } = useForm<PeriodFormValues>({
    schema: PeriodFormSchema,
    initialValues: { period: defaultPeriod(today) },
    mode: 'controlled',
    // The period can be chosen again with one click.
    confirmsDiscard: false,
  });
  const draftAllMutation = useDraftAllInvoices();

  const draftAll = onSubmit(
    (form) => {
      const body = toInput(form);
      return draftAllMutation.mutateAsync({ body, idempotencyKey: keyFor(body) });
    },
    (drafts) => {
      if (drafts.length > 0) onReview(drafts.map(({ id }) => id));
    },
  );

  return (
    <>
      <Card>
        <Form
          onSubmit={draftAll}
          submitLabel="Draft invoices"
          busyLabel="Drafting..."
          isBusy={draftAllMutation.isPending}
        >
          <PeriodFields
            period={values.period}
            onChange={(period) => {
              draftAllMutation.reset();
              change({ period });
            }}
            today={today}
          />
          <ImpactNotice>
            {draftAllMutation.data?.length === 0 ? (
              <p>There's nothing left to invoice in this period.</p>
            ) : (
              <p className={classes.muted}>
                One draft for each family with uninvoiced lessons. You review them before any is
                issued.
              </p>
            )}
          </ImpactNotice>
        </Form>
      </Card>
      <PendingDrafts onReview={onReview} />
    </>
  );
}

/** Links to earlier drafts. Their lessons are not included in new drafts. */
function PendingDrafts({ onReview }: Pick<Props, 'onReview'>) {
  const { data } = useInfiniteQuery(invoicesQuery({ state: 'draft' }, 500));
  const drafts = data?.pages.flat() ?? [];
  if (drafts.length === 0) return null;
  return (
    <Button variant="light" onClick={() => onReview(drafts.map(({ id }) => id))}>
      Review {pluralize(drafts.length, 'earlier draft')}
    </Button>
  );
}
