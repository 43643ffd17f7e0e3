import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { ReplacePaymentLinkButton } from '../../components/ReplacePaymentLinkButton.tsx';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import { invoicePdfUrl, publicInvoiceUrl, useReplaceInvoiceLink } from './api.ts';
import { InvoiceDocument } from './InvoiceDocument.tsx';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import classes from './IssuedInvoice.module.css';
import { creditableAmount } from './invoice-lines.ts';

const CreditNoteDialog = lazy(async () => ({
  default: (await import('./CreditNoteDialog.tsx')).CreditNoteDialog,
}));
const VoidInvoiceModal = lazy(async () => ({
  default: (await import('./VoidInvoiceModal.tsx')).VoidInvoiceModal,
}));

interface Props {
  invoice: Invoice;
  today: string;
  /** The send button. */
  sendButton: ReactNode;
  /** The button that records a payment for the amount outstanding. */
  paymentButton: ReactNode;
}

/** An issued invoice is read-only. A mistake is corrected by voiding it or issuing a credit note. */
export function IssuedInvoice({ invoice, today, sendButton, paymentButton }: Props) {
  const [opened, setOpened] = useState<'void' | 'credit' | null>(null);
  const close = () => setOpened(null);
  const replaceLink = useReplaceInvoiceLink();
  const { number, kind, state, token } = invoice;
  const isActiveInvoice = kind === 'invoice' && state !== 'void';
  const name = `${kind === 'invoice' ? 'invoice' : 'credit note'} ${number}`;
  return (
    <div className={classes.layout}>
      <div className={classes.about}>
        <Card>
          <DescriptionList items={toDescriptionItems(invoice, today)} />
          {isActiveInvoice && (
            <div className={classes.send}>
              {invoice.due > 0 && paymentButton}
              {sendButton}
            </div>
          )}
          <div className={classes.actions}>
            <Button
              component="a"
              variant="light"
              href={invoicePdfUrl(invoice.id)}
              download
              leftSection={<IconDownload size={18} stroke={1.8} />}
            >
              Download PDF
            </Button>
            {token && (
              <CopyButton text={publicInvoiceUrl(token)} itemName={name} label="Copy link" />
            )}
            <ReplacePaymentLinkButton
              isReplacing={replaceLink.isPending}
              onReplace={(callbacks) => replaceLink.mutate(invoice.id, callbacks)}
            />
          </div>
        </Card>
        {isActiveInvoice && (
          <div className={classes.corrections}>
            {invoice.lines.some((line) => creditableAmount(line) > 0) && (
              <Button variant="default" onClick={() => setOpened('credit')}>
                Credit note
              </Button>
            )}
            {/* A partly credited invoice cannot be voided. */}
            {invoice.creditNotes.length === 0 && (
              <Button variant="subtle" color="red" onClick={() => setOpened('void')}>
                Void
              </Button>
            )}
          </div>
        )}
      </div>
      <InvoiceDocument invoice={invoice} />
      <LazyMount opened={opened === 'void'}>
        <VoidInvoiceModal
          invoice={invoice}
          today={today}
          opened={opened === 'void'}
          onClose={close}
        />
      </LazyMount>
      <LazyMount opened={opened === 'credit'}>
        <CreditNoteDialog
          invoice={invoice}
          today={today}
          opened={opened === 'credit'}
          onClose={close}
        />
      </LazyMount>
    </div>
  );
}

const HOLD_TEXTS = {
  query: 'queried',
  dispute: 'disputed',
  refund: 'refunded',
  instalments: 'in instalments',
};

function toDescriptionItems(invoice: Invoice, today: string) {
  const { kind, state, familyId, familyName, dueOn, due, onHold, total, currency } = invoice;
  const isAwaitingPayment = kind === 'invoice' && !['void', 'paid', 'written_off'].includes(state);
  return [
    {
      name: 'Status',
      value: <InvoiceStatus kind={kind} state={state} holdReason={invoice.holdReason} />,
    },
    {
      name: 'Payer',
      value: (
        <Link to="/families/$id" params={{ id: String(familyId) }}>
          {familyName}
        </Link>
      ),
    },
    { name: 'Due', value: isAwaitingPayment && dueOn && formatShortDate(dueOn, today) },
    {
      name: 'To pay',
      value: isAwaitingPayment && due !== total && formatAmount(due - onHold, currency, true),
    },
    {
      name: 'On hold',
      value:
        onHold > 0 &&
        `${formatAmount(onHold, currency, true)}, ${HOLD_TEXTS[invoice.holdReason ?? 'refund']}`,
    },
    {
      name: 'Voided',
      value:
        invoice.voidedOn &&
        [formatShortDate(invoice.voidedOn, today), invoice.voidReason].filter(Boolean).join(', '),
    },
    {
      name: 'Corrects invoice',
      value: invoice.corrects && <DocumentLink document={invoice.corrects} />,
    },
    {
      name: 'Credit notes',
      value: invoice.creditNotes.length > 0 && (
        <span className={classes.notes}>
          {invoice.creditNotes.map((note) => (
            <span key={note.id}>
              <DocumentLink document={note} />, {formatAmount(note.total, currency, true)}
            </span>
          ))}
        </span>
      ),
    },
  ];
}

const DocumentLink = ({ document }: { document: { id: number; number: string } }) => (
  <Link to="/invoices/$id" params={{ id: String(document.id) }}>
    {document.number}
  </Link>
);
