import type { InvoiceSummary } from '@lessonbook/contract/invoice-list-filters-and-totals';
import { IconFiles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { formatTotals, pluralize } from '../../lib/format.ts';
import { businessQuery } from '../business/api.ts';
import classes from './NoInvoices.module.css';

/** Shown before the first invoice, with what is ready to be invoiced. */
export function NoInvoices({
  uninvoiced,
}: {
  uninvoiced: InvoiceSummary['uninvoiced'] | undefined;
}) {
  const { data: business } = useQuery(businessQuery);
  const isReady = uninvoiced !== undefined && uninvoiced.lessons > 0;
  return (
    <Card>
      <div className={classes.empty}>
        <Illustration name="invoice" size={150} />
        <h2>No invoices yet</h2>
        <p>
          {isReady
            ? describeUninvoiced(uninvoiced)
            : 'Complete a lesson, and you can invoice it here.'}
        </p>
        {isReady && (
          <ButtonLink
            to="/invoices/everyone"
            variant="light"
            leftSection={<IconFiles size={18} stroke={1.8} />}
          >
            Bulk invoice
          </ButtonLink>
        )}
        {business && !business.accountNumber && !business.iban && (
          <p className={classes.hint}>
            First, <Link to="/settings/business">add your bank details</Link> so families know how
            to pay.
          </p>
        )}
      </div>
    </Card>
  );
}

function describeUninvoiced({ lessons, families, totals }: InvoiceSummary['uninvoiced']): string {
  const sum = formatTotals(totals.map(({ currency, amount }) => ({ currency, minor: amount })));
  const verb = lessons === 1 ? 'is' : 'are';
  return `${pluralize(lessons, 'completed lesson')} for ${pluralize(families, 'family', 'families')} ${verb} ready to invoice, ${sum} in total. We'll create one draft for each family, and you review them before anything is sent.`;
}
