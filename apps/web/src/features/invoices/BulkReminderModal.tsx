import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatList, formatTotals, pluralize } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useStartBatch } from '../batches/api.ts';
import { paymentReminderPreviewQuery } from '../messages/api.ts';
import { EmailPreview } from '../messages/shared/EmailPreview.tsx';
import classes from './InvoiceModals.module.css';

interface Props {
  rows: readonly InvoiceListRow[];
  opened: boolean;
  onClose: () => void;
}

/** One reminder for each family, however many of its invoices are overdue. */
export function BulkReminderModal({ opened, onClose, ...form }: Props) {
  return (
    <ResponsiveModal title="Send reminders?" opened={opened} onClose={onClose}>
      {form.rows.length > 0 && <BulkReminderForm {...form} onClose={onClose} />}
    </ResponsiveModal>
  );
}

function BulkReminderForm({ rows, onClose }: Omit<Props, 'opened'>) {
  const start = useStartBatch();
  const idempotency = useIdempotencyKey();
  const navigate = useNavigate();
  const families = [...Map.groupBy(rows, ({ familyId }) => familyId)];
  const [sample] = rows as [InvoiceListRow];
  const preview = useQuery(paymentReminderPreviewQuery(sample.familyId, 'email'));

  async function send() {
    const body = {
      kind: 'send_reminders' as const,
      ids: families.map(([familyId]) => familyId),
    };
    const batch = await start
      .mutateAsync({ body, idempotencyKey: idempotency.keyFor(body) })
      // A toast shows the error.
      .catch(() => null);
    if (batch) await navigate({ to: '/batches/$id', params: { id: String(batch.id) } });
  }

  return (
    <div className={classes.form}>
      <p className={classes.muted}>
        Each family gets one message with everything overdue and how to pay.
      </p>
      <ul className={classes.rows}>
        {families.map(([familyId, familyRows]) => (
          <li key={familyId} className={classes.row} data-static>
            <span className={classes.description}>
              <span>{familyRows[0]?.familyName}</span>
              <small>{formatList(familyRows.flatMap(({ number }) => number ?? []))}</small>
            </span>
            <b>{formatTotals(familyRows.map(({ currency, due }) => ({ currency, minor: due })))}</b>
          </li>
        ))}
      </ul>
      <EmailPreview summary={`Preview email to ${sample.familyName}`} preview={preview} />
      <ModalActions
        onCancel={onClose}
        confirmLabel={`Send ${pluralize(families.length, 'reminder')}`}
        busyLabel="Starting..."
        isBusy={start.isPending}
        onConfirm={() => void send()}
      />
    </div>
  );
}
