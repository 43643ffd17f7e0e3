import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ConfirmModal, ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { AddItemModal, AddLessonsModal } from './AddLineModals.tsx';
import { useDeleteInvoiceDraft, useIssueInvoices } from './api.ts';
import classes from './InvoiceModals.module.css';
import { formatUpcomingCharges } from './invoice-lines.ts';
import type { useDraft } from './use-draft.ts';

interface DeleteDraftProps {
  id: number;
  opened: boolean;
  onClose: () => void;
}

export function DeleteDraftModal({ id, opened, onClose }: DeleteDraftProps) {
  const remove = useDeleteInvoiceDraft();
  const navigate = useNavigate();
  return (
    <ConfirmModal
      title="Delete this draft?"
      opened={opened}
      onClose={onClose}
      confirmLabel="Delete draft"
      busyLabel="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() =>
        remove.mutate(id, { onSuccess: () => void navigate({ to: '/invoices', replace: true }) })
      }
    >
      It never had a number. Its lessons stay charged and can be invoiced again.
    </ConfirmModal>
  );
}

interface IssueModalProps {
  invoice: Invoice;
  /** A change is still being saved, so issuing has to wait. */
  isSaving: boolean;
  opened: boolean;
  onClose: () => void;
  /** Called after issuing, if the tutor wants to send the invoice. */
  onSend: () => void;
}

function IssueModal({ invoice, isSaving, opened, onClose, onSend }: IssueModalProps) {
  const issue = useIssueInvoices();
  const idempotency = useIdempotencyKey();
  const body = { ids: [invoice.id] };
  const amount = formatAmount(invoice.total, invoice.currency);

  function issueInvoice(onSuccess: () => void) {
    issue.mutate({ body, idempotencyKey: idempotency.keyFor(body) }, { onSuccess });
  }

  return (
    <ResponsiveModal title="Issue this invoice?" opened={opened} onClose={onClose}>
      <div className={classes.form}>
        <ImpactNotice>
          <p>
            {invoice.familyName} is asked for {amount}.
          </p>
          {formatUpcomingCharges([invoice]) && <p>{formatUpcomingCharges([invoice])}</p>}
          <p className={classes.muted}>
            It gets its number now and cannot be changed after that; a mistake is corrected by a
            credit note. You see the message before it is sent.
          </p>
        </ImpactNotice>
        <ModalActions
          onCancel={onClose}
          confirmLabel={`Issue and send, ${amount}`}
          busyLabel="Issuing..."
          isBusy={issue.isPending}
          disabled={isSaving}
          onConfirm={() =>
            issueInvoice(() => {
              onClose();
              onSend();
            })
          }
        />
        <Button
          variant="subtle"
          disabled={issue.isPending || isSaving}
          onClick={() => issueInvoice(onClose)}
        >
          Issue without sending
        </Button>
      </div>
    </ResponsiveModal>
  );
}

export type DraftModal = 'item' | 'lessons' | 'issue';

interface Props {
  invoice: Invoice;
  draft: ReturnType<typeof useDraft>;
  today: string;
  opened: DraftModal | null;
  onClose: () => void;
  onSend: () => void;
}

/** All the draft editor's modals, loaded as one chunk. */
export function DraftModals({ invoice, draft, today, opened, onClose, onSend }: Props) {
  return (
    <>
      <AddItemModal
        opened={opened === 'item'}
        onClose={onClose}
        currency={invoice.currency}
        isBusy={draft.isBusy}
        onAdd={draft.addItem}
      />
      <AddLessonsModal
        invoice={invoice}
        opened={opened === 'lessons'}
        onClose={onClose}
        today={today}
        isBusy={draft.isBusy}
        onAdd={draft.addLessons}
      />
      <IssueModal
        invoice={invoice}
        isSaving={draft.isBusy}
        opened={opened === 'issue'}
        onClose={onClose}
        onSend={onSend}
      />
    </>
  );
}
