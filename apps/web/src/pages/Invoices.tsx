import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { InvoicesView } from '../features/invoices/InvoicesView.tsx';
import { ReportTabs } from '../features/reports/ReportTabs.tsx';
import classes from './Invoices.module.css';

const NewInvoiceDialog = lazy(async () => ({
  default: (await import('../features/invoices/NewInvoiceDialog.tsx')).NewInvoiceDialog,
}));

/** All invoices, or those of one payer. */
export function InvoicesPage() {
  const { today } = useTutor();
  const { family, state = 'all' } = useSearch({ from: '/tutor/invoices' });
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);

  const renderNewInvoiceButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => setAdding(true)}>
      New invoice
    </Button>
  );

  return (
    <NarrowContainer>
      {family === undefined ? (
        <>
          <PageHeader />
          <ReportTabs current="invoices" />
          <div className={classes.actions}>
            <ButtonLink to="/invoices/everyone">Invoice everyone</ButtonLink>
            {renderNewInvoiceButton('light')}
          </div>
        </>
      ) : (
        <PageHeader
          back={{
            link: { to: '/families/$id', params: { id: String(family) } },
            label: 'Back to the family',
          }}
          action={renderNewInvoiceButton('filled')}
        />
      )}
      <InvoicesView
        familyId={family}
        filter={state}
        onFilterChange={(next) =>
          void navigate({
            to: '/invoices',
            search: {
              ...(family !== undefined && { family }),
              ...(next !== 'all' && { state: next }),
            },
            replace: true,
          })
        }
        today={today}
      />
      <LazyMount opened={adding}>
        <NewInvoiceDialog
          key={family}
          opened={adding}
          onClose={() => setAdding(false)}
          today={today}
          familyId={family}
        />
      </LazyMount>
    </NarrowContainer>
  );
}
