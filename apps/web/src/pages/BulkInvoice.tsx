import { useNavigate, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { BulkInvoiceDraftStep } from '../features/invoices/BulkInvoiceDraftStep.tsx';
import { BulkInvoiceResult } from '../features/invoices/BulkInvoiceResult.tsx';
import { BulkInvoiceReview } from '../features/invoices/BulkInvoiceReview.tsx';
import { formatIds, parseIds } from '../features/invoices/use-invoices-by-id.ts';

/** Period, review and result. The current step is kept in the URL, so that Back and reload work. */
export function BulkInvoicePage() {
  const { today } = useTutor();
  const { drafts, issued } = useSearch({ from: '/tutor/invoices/everyone' });
  const navigate = useNavigate();
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/invoices' }, label: 'Back to invoices' }} />
      {issued ? (
        <>
          <BulkInvoiceResult ids={parseIds(issued)} />
          <ButtonLink to="/invoices" variant="light">
            Go to invoices
          </ButtonLink>
        </>
      ) : drafts ? (
        <BulkInvoiceReview
          ids={parseIds(drafts)}
          today={today}
          onIssued={(ids) =>
            void navigate({
              to: '/invoices/everyone',
              search: { issued: formatIds(ids) },
              // Issued drafts cannot be reviewed again.
              replace: true,
            })
          }
        />
      ) : (
        <BulkInvoiceDraftStep
          today={today}
          onReview={(ids) =>
            void navigate({ to: '/invoices/everyone', search: { drafts: formatIds(ids) } })
          }
        />
      )}
    </NarrowContainer>
  );
}
