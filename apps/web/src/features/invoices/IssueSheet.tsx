import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
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
  /** It has its number, and the tutor wants to send it. */
  onSend: () => void;
}

/** The last look before a draft becomes a document. */
export function IssueSheet({ invoice, isSaving, opened, onClose, onSend }: Props) {
  const issue = useIssueInvoices();
  const attempts = useNamedAttempts();
  const body = { ids: [invoice.id] };
  const amount = money(invoice.total, invoice.currency);

  function issueAnd(next: () => void) {
    issue.mutate({ body, attempt: attempts.nameOf(body) }, { onSuccess: next });
  }

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
            credit note. You see the message before it is sent.
          </p>
        </Consequence>
        <SheetButtons
          onCancel={onClose}
          confirm={`Issue and send, ${amount}`}
          busy="Issuing..."
          isBusy={issue.isPending}
          disabled={isSaving}
          onConfirm={() =>
            issueAnd(() => {
              onClose();
              onSend();
            })
          }
        />
        <Button
          variant="subtle"
          disabled={issue.isPending || isSaving}
          onClick={() => issueAnd(onClose)}
        >
          Issue without sending
        </Button>
      </div>
    </BottomSheet>
  );
}
