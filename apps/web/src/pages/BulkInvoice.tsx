import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { BulkInvoicePeriodStep } from '../features/invoices/BulkInvoicePeriodStep.tsx';
import { formatIds, parseIds } from '../features/invoices/ids-in-url.ts';

const BulkInvoiceReview = lazy(async () => ({
  default: (await import('../features/invoices/BulkInvoiceReview.tsx')).BulkInvoiceReview,
}));

/** The period step and the review step. The current step is kept in the URL, so that Back and reload work. */
export function BulkInvoicePage() {
  const { today } = useTutor();
  const { drafts } = useSearch({ from: '/tutor/invoices/everyone' });
  const navigate = useNavigate();
  if (drafts) {
    return (
      <Suspense fallback={<RowSkeleton rows={4} />}>
        <BulkInvoiceReview key={drafts} ids={parseIds(drafts)} today={today} />
      </Suspense>
    );
  }
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/invoices' }, label: 'Back to invoices' }} />
      <BulkInvoicePeriodStep
        today={today}
        onReview={(ids) =>
          void navigate({ to: '/invoices/everyone', search: { drafts: formatIds(ids) } })
        }
      />
    </NarrowContainer>
  );
}
