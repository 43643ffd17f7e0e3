import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { RecordNotFound } from '../components/RecordNotFound.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { BankDetailsChangedNotice } from '../features/business/BankDetailsChangedNotice.tsx';
import { invoiceQuery } from '../features/invoices/api.ts';
import { IssuedInvoice } from '../features/invoices/IssuedInvoice.tsx';
import { SendInvoiceButton } from '../features/messages/SendInvoiceButton.tsx';
import { RecordPaymentButton } from '../features/payments/RecordPaymentButton.tsx';
import { isNotFound } from '../lib/http.ts';

// Loaded on demand, because most invoices that are opened have been issued.
const InvoiceEditor = lazy(async () => ({
  default: (await import('../features/invoices/InvoiceEditor.tsx')).InvoiceEditor,
}));
const DeleteDraftMenu = lazy(async () => ({
  default: (await import('../features/invoices/DeleteDraftMenu.tsx')).DeleteDraftMenu,
}));

/** Editor for a draft, or the issued document. */
export function InvoicePage() {
  const tutor = useTutor();
  const { today } = tutor;
  const { id } = useParams({ from: '/tutor/invoices/$id' });
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(Number(id)));
  // Set when the tutor issues the draft and chooses to send it: the send form then opens straight away.
  const [invoiceToSend, setInvoiceToSend] = useState<number | null>(null);

  if (isNotFound(error)) {
    return (
      <>
        <Header />
        <Card>
          <RecordNotFound list="invoices">Invoice not found</RecordNotFound>
        </Card>
      </>
    );
  }
  if (!invoice) {
    return (
      <>
        <Header />
        <Card>
          {error ? (
            <LoadError onRetry={() => void refetch()}>We couldn't load the invoice.</LoadError>
          ) : (
            <RowSkeleton rows={5} />
          )}
        </Card>
      </>
    );
  }
  if (invoice.state === 'draft') {
    return (
      <>
        <Header
          title="Draft invoice"
          action={
            <Suspense fallback={<Box w={44} h={44} />}>
              <DeleteDraftMenu invoice={invoice} />
            </Suspense>
          }
        />
        <Suspense
          fallback={
            <Card>
              <RowSkeleton rows={5} />
            </Card>
          }
        >
          <InvoiceEditor
            key={invoice.id}
            invoice={invoice}
            today={today}
            onSend={() => setInvoiceToSend(invoice.id)}
          />
        </Suspense>
      </>
    );
  }
  const { token } = invoice;
  const name = invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';
  return (
    <>
      <Header title={`${name} ${invoice.number}`} />
      <BankDetailsChangedNotice changedAt={invoice.bankDetailsChangedAt} dateContext={tutor} />
      <IssuedInvoice
        key={invoice.id}
        invoice={invoice}
        today={today}
        paymentButton={<RecordPaymentButton target={{ invoiceId: invoice.id }} />}
        sendButton={
          token && (
            <SendInvoiceButton
              invoice={{ id: invoice.id, familyId: invoice.familyId }}
              initiallyOpened={invoice.id === invoiceToSend}
              dateContext={tutor}
            />
          )
        }
      />
    </>
  );
}

const Header = (props: { title?: string; action?: ReactNode }) => (
  <PageHeader back={{ link: { to: '/invoices' }, label: 'Back to invoices' }} {...props} />
);
