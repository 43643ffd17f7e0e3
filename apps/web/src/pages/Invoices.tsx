import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { IconFiles, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { invoiceSummaryQuery } from '../features/invoices/api.ts';
import { InvoicesView } from '../features/invoices/InvoicesView.tsx';
import {
  type InvoicesSearch,
  toInvoiceFilter,
} from '../features/invoices/invoice-search-params.ts';
import { InvoiceRowMenu } from './InvoiceRowMenu.tsx';
import classes from './Invoices.module.css';

const NewInvoiceDialog = lazy(async () => ({
  default: (await import('../features/invoices/NewInvoiceDialog.tsx')).NewInvoiceDialog,
}));

/** All invoices, or those of one payer. */
export function InvoicesPage() {
  const tutor = useTutor();
  const search = useSearch({ from: '/tutor/invoices' });
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const { family } = search;
  const { data: summary } = useQuery(invoiceSummaryQuery(toInvoiceFilter(search, tutor.today)));
  // Before the first invoice, the page itself offers what is ready to invoice.
  const isEmpty = summary?.counts.all === 0 && !search.q && !search.period;

  return (
    <>
      <PageHeader
        {...(family !== undefined && {
          back: {
            link: { to: '/families/$id', params: { id: String(family) } },
            label: 'Back to the family',
          },
        })}
        action={
          <div className={classes.actions}>
            {family === undefined && !isEmpty && (
              <ButtonLink
                to="/invoices/everyone"
                variant="default"
                leftSection={<IconFiles size={18} stroke={1.8} />}
              >
                Bulk invoice
              </ButtonLink>
            )}
            <Button
              leftSection={<IconPlus size={18} stroke={1.8} />}
              onClick={() => setAdding(true)}
            >
              New invoice
            </Button>
          </div>
        }
      />
      <InvoicesView
        search={search}
        onSearchChange={(next) =>
          void navigate({ to: '/invoices', search: withoutEmptyValues(next), replace: true })
        }
        dateContext={tutor}
        renderMenu={renderMenu}
      />
      <LazyMount opened={adding}>
        <NewInvoiceDialog
          key={family}
          opened={adding}
          onClose={() => setAdding(false)}
          today={tutor.today}
          familyId={family}
        />
      </LazyMount>
    </>
  );
}

const renderMenu = (row: InvoiceListRow) => <InvoiceRowMenu row={row} />;

const withoutEmptyValues = (search: InvoicesSearch): InvoicesSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value));
