import type { BatchKind } from '@lessonbook/contract/invoice-and-reminder-batches';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount, pluralize } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useStartBatch } from '../batches/api.ts';
import { MissingBankDetailsForm } from '../business/shared/MissingBankDetailsForm.tsx';
import { invoicePreviewQuery } from '../messages/api.ts';
import { EmailPreview } from '../messages/shared/EmailPreview.tsx';
import classes from './InvoiceModals.module.css';
import { type BatchPlan, formatStartLabel } from './invoice-batch-plan.ts';

interface Props {
  plan: BatchPlan;
  /** False if there is no way for families to pay yet. */
  canEmail: boolean;
  opened: boolean;
  onClose: () => void;
}

/** Lists the invoices and who will receive them, with a preview of the first email. */
export function ConfirmBatchModal({ plan, canEmail, opened, onClose }: Props) {
  const { drafts, rows, emailed } = plan;
  const title =
    drafts.length > 0
      ? `Issue ${pluralize(drafts.length, 'invoice')}?`
      : `Email ${pluralize(emailed.length, 'invoice')}?`;
  return (
    <ResponsiveModal title={title} opened={opened} onClose={onClose}>
      {rows.length > 0 && <ConfirmBatchForm plan={plan} canEmail={canEmail} onClose={onClose} />}
    </ResponsiveModal>
  );
}

function ConfirmBatchForm({ plan, canEmail, onClose }: Omit<Props, 'opened'>) {
  const { drafts, emailed, numbers } = plan;
  const [wantsEmail, setWantsEmail] = useState(true);
  const start = useStartBatch();
  const idempotency = useIdempotencyKey();
  const navigate = useNavigate();
  const isEmailed = canEmail && emailed.length > 0 && (wantsEmail || drafts.length === 0);
  const rows = isEmailed ? plan.rows : drafts;
  const [sample] = emailed;

  async function startBatch() {
    const kind: BatchKind = isEmailed ? 'send_invoices' : 'issue_invoices';
    const body = { kind, ids: rows.map(({ id }) => id) };
    const batch = await start
      .mutateAsync({ body, idempotencyKey: idempotency.keyFor(body) })
      // A toast shows the error.
      .catch(() => null);
    if (!batch) return;
    onClose();
    // The review is over: its drafts are being issued.
    await navigate({ to: '/batches/$id', params: { id: String(batch.id) }, replace: true });
  }

  return (
    <div className={classes.form}>
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row} data-static>
            <span className={classes.description}>
              <span>{row.familyName}</span>
              <small>
                {row.number ?? numbers[drafts.indexOf(row)]}
                {isEmailed &&
                  (row.problem === null ? `, ${row.address}` : ', no email will be sent')}
              </small>
            </span>
            <b>{formatAmount(row.total, row.currency, true)}</b>
          </li>
        ))}
      </ul>
      {canEmail && emailed.length > 0 && drafts.length > 0 && (
        <CheckboxField
          label="Email them now"
          hint="You can also send them later from the list of invoices."
          checked={wantsEmail}
          onChange={setWantsEmail}
        />
      )}
      {isEmailed && sample && <EmailSample id={sample.id} familyName={sample.familyName} />}
      {drafts.length > 0 && (
        <p className={classes.muted}>
          Issued invoices can't be edited or deleted. To correct one, void it or create a credit
          note.
        </p>
      )}
      {drafts.length > 0 && <MissingBankDetailsForm />}
      <ModalActions
        onCancel={onClose}
        confirmLabel={formatStartLabel(plan, isEmailed)}
        busyLabel="Starting..."
        isBusy={start.isPending}
        onConfirm={() => void startBatch()}
      />
    </div>
  );
}

function EmailSample({ id, familyName }: { id: number; familyName: string }) {
  const preview = useQuery(invoicePreviewQuery(id, 'email'));
  return <EmailPreview summary={`Preview email to ${familyName}`} preview={preview} />;
}
