import type { Invoice, InvoiceRow } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { MissingBankDetailsForm } from '../business/shared/MissingBankDetailsForm.tsx';
import { AddItemModal, AddLessonsModal } from './AddLineModals.tsx';
import { useDeleteInvoiceDrafts, useIssueInvoices } from './api.ts';
import classes from './InvoiceModals.module.css';
import { formatUpcomingCharges } from './invoice-lines.ts';
import type { useEditInvoiceDraft } from './use-edit-invoice-draft.ts';

interface DeleteDraftsProps {
  drafts: readonly Pick<InvoiceRow, 'id' | 'familyName' | 'total' | 'currency'>[];
  opened: boolean;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Lists the drafts. Deleting can be undone, because they have not been sent. */
export function DeleteDraftsModal({ drafts, opened, onClose, onDeleted }: DeleteDraftsProps) {
  const remove = useDeleteInvoiceDrafts();
  const ids = drafts.map(({ id }) => id);
  const isOne = drafts.length === 1;
  return (
    <ConfirmModal
      title={isOne ? 'Delete this draft?' : `Delete ${drafts.length} drafts?`}
      opened={opened}
      onClose={onClose}
      confirmLabel={isOne ? 'Delete draft' : `Delete ${drafts.length} drafts`}
      busyLabel="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() =>
        remove.mutate(ids, {
          onSuccess: () => {
            onClose();
            onDeleted?.();
          },
        })
      }
    >
      {!isOne && (
        <ul className={classes.rows}>
          {drafts.map(({ id, familyName, total, currency }) => (
            <li key={id} className={classes.row} data-static>
              <span className={classes.description}>{familyName}</span>
              <b>{formatAmount(total, currency, true)}</b>
            </li>
          ))}
        </ul>
      )}
      <p>
        {isOne ? "It hasn't been issued. Its" : "They haven't been issued. Their"} lessons stay in
        your records, so you can invoice them later.
      </p>
    </ConfirmModal>
  );
}

interface IssueModalProps {
  invoice: Invoice;
  /** True while a change is being saved. The invoice cannot be issued in the meantime. */
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
  // Part of the invoice may already be paid. The email asks for the same amount.
  const amount = formatAmount(invoice.due, invoice.currency);
  const total = formatAmount(invoice.total, invoice.currency);

  function issueInvoice(onSuccess: () => void) {
    issue.mutate({ body, idempotencyKey: idempotency.keyFor(body) }, { onSuccess });
  }

  return (
    <ResponsiveModal title="Issue this invoice?" opened={opened} onClose={onClose}>
      <div className={classes.form}>
        <ImpactNotice>
          <p>
            This invoice for {total}
            {invoice.due < invoice.total && `, of which ${amount} is left to pay,`} will be numbered
            now and can't be changed afterwards.
          </p>
          {formatUpcomingCharges([invoice]) && <p>{formatUpcomingCharges([invoice])}</p>}
          <p className={classes.muted}>
            You can correct mistakes with a credit note. If you send the invoice, you'll see the
            message first.
          </p>
        </ImpactNotice>
        <MissingBankDetailsForm />
        <ModalActions
          onCancel={onClose}
          confirmLabel={`Issue and send (${amount})`}
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
  draft: ReturnType<typeof useEditInvoiceDraft>;
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
