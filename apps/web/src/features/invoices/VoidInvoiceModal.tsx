import { VoidInvoiceInput } from '@lessonbook/contract/invoice-inputs';
import type { Invoice } from '@lessonbook/contract/invoices';
import { TextInput } from '@mantine/core';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useVoidInvoice } from './api.ts';
import classes from './InvoiceModals.module.css';

interface Props {
  invoice: Invoice;
  today: string;
  opened: boolean;
  onClose: () => void;
}

export function VoidInvoiceModal({ opened, onClose, ...form }: Props) {
  return (
    <ResponsiveModal title="Void this invoice?" opened={opened} onClose={onClose}>
      <VoidForm {...form} onClose={onClose} />
    </ResponsiveModal>
  );
}

function VoidForm({ invoice, today, onClose }: Omit<Props, 'opened'>) {
  const { form, onSubmit, keyFor } = useForm({
    schema: VoidInvoiceInput,
    initialValues: { reason: '' },
  });
  const voidInvoice = useVoidInvoice();
  const confirm = onSubmit((values) => {
    const reason = values.reason.trim();
    const input = { params: { id: invoice.id }, body: reason ? { reason } : {} };
    return voidInvoice.mutateAsync({ ...input, idempotencyKey: keyFor(input) });
  }, onClose);

  return (
    <div className={classes.form}>
      <ImpactNotice>
        <p>
          {invoice.number} stays in your records, marked as void. Its number won't be used again.
          Its lessons can be invoiced again.
        </p>
        {hasInvoiceOnlyCharges(invoice, today) && (
          <p>Items and upcoming lessons will no longer be charged.</p>
        )}
        {invoice.paid > 0 && (
          <p>The {formatAmount(invoice.paid, invoice.currency)} already paid will become credit.</p>
        )}
        <p className={classes.muted}>The invoice link will show that there's nothing to pay.</p>
      </ImpactNotice>
      <TextInput
        label="Reason"
        placeholder="E.g. wrong month"
        maxLength={500}
        key={form.key('reason')}
        {...form.getInputProps('reason')}
      />
      <ModalActions
        onCancel={onClose}
        cancelLabel="Keep invoice"
        confirmLabel={`Void ${invoice.number}`}
        busyLabel="Voiding..."
        isBusy={voidInvoice.isPending}
        color="red"
        onConfirm={() => confirm()}
      />
    </div>
  );
}

/** Charges created only by this invoice are removed with it. */
const hasInvoiceOnlyCharges = ({ lines }: Invoice, today: string): boolean =>
  lines.some(({ sessionId, date }) => sessionId === null || date > today);
