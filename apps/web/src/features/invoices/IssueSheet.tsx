import type { Invoice } from '@lessonbook/contract/invoices';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { money } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useIssueInvoices } from './api.ts';
import classes from './InvoiceSheets.module.css';
import { ahead } from './invoice-lines.ts';

interface Props {
  invoice: Invoice;
  /** A last change is still on its way; the number must not overtake it. */
  isSaving: boolean;
  opened: boolean;
  onClose: () => void;
}

/** The last look before a draft becomes a document. */
export function IssueSheet({ invoice, isSaving, opened, onClose }: Props) {
  const issue = useIssueInvoices();
  const attempts = useNamedAttempts();
  const body = { ids: [invoice.id] };
  const amount = money(invoice.total, invoice.currency);
  return (
    <BottomSheet title="Issue this invoice?" opened={opened} onClose={onClose}>
      <div className={classes.sheet}>
        <Consequence>
          <p>
            {invoice.familyName} is asked for {amount}.
          </p>
          {ahead([invoice]) && <p>{ahead([invoice])}</p>}
          <p className={classes.quiet}>
            It gets its number now and cannot be changed after that; a mistake is corrected by a
            credit note. Nothing is sent: you get a link and a PDF.
          </p>
        </Consequence>
        <SheetButtons
          onCancel={onClose}
          confirm={`Issue, ${amount}`}
          busy="Issuing..."
          isBusy={issue.isPending}
          disabled={isSaving}
          onConfirm={() =>
            issue.mutate({ body, attempt: attempts.nameOf(body) }, { onSuccess: onClose })
          }
        />
      </div>
    </BottomSheet>
  );
}
