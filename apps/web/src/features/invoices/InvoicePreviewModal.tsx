import type { Invoice } from '@lessonbook/contract/invoices';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { invoicePreviewQuery } from '../messages/api.ts';
import { EmailPreview } from '../messages/shared/EmailPreview.tsx';
import { invoiceQuery } from './api.ts';
import { DraftLines } from './DraftLines.tsx';
import { InvoiceDocument } from './InvoiceDocument.tsx';
import classes from './InvoiceModals.module.css';
import { useEditInvoiceDraft } from './use-edit-invoice-draft.ts';

interface Props {
  id: number | null;
  today: string;
  opened: boolean;
  onClose: () => void;
}

/** Previews one invoice of a bulk invoice run, with its email. Lines can be removed from a draft here. */
export function InvoicePreviewModal({ id, today, opened, onClose }: Props) {
  return (
    <ResponsiveModal title="Preview" opened={opened} onClose={onClose}>
      {id !== null && <Preview key={id} id={id} today={today} />}
    </ResponsiveModal>
  );
}

function Preview({ id, today }: { id: number; today: string }) {
  const { data: invoice, isError, refetch } = useQuery(invoiceQuery(id));
  if (!invoice) {
    return isError ? (
      <LoadError onRetry={() => void refetch()}>We couldn't load the invoice.</LoadError>
    ) : (
      <RowSkeleton rows={4} />
    );
  }
  return <PreviewContent invoice={invoice} today={today} />;
}

function PreviewContent({ invoice, today }: { invoice: Invoice; today: string }) {
  const draft = useEditInvoiceDraft(invoice);
  const email = useQuery(invoicePreviewQuery(invoice.id, 'email'));
  const isDraft = invoice.state === 'draft';
  return (
    <div className={classes.form}>
      {isDraft ? (
        <DraftLines invoice={invoice} today={today} isBusy={draft.isBusy} onRemove={draft.remove} />
      ) : (
        <InvoiceDocument invoice={invoice} />
      )}
      <EmailPreview summary={`Preview email to ${invoice.familyName}`} preview={email} />
      <ButtonLink to="/invoices/$id" params={{ id: String(invoice.id) }} variant="default">
        {isDraft ? 'Edit draft' : 'Open invoice'}
      </ButtonLink>
    </div>
  );
}
