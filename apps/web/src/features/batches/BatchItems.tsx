import type { Batch, BatchItem } from '@lessonbook/contract/invoice-and-reminder-batches';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { DataTable, type DataTableColumn } from '../../components/DataTable.tsx';
import { createColumnAmountFormatter } from '../../lib/format.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { invoicePdfUrl } from '../invoices/api.ts';
import { BatchItemStatus } from './BatchItemStatus.tsx';
import classes from './BatchItems.module.css';
import { doneLabel, needsManualDelivery } from './batch-labels.ts';

interface ItemsProps {
  batch: Batch;
  dateContext: DateContext;
}

const NUMBER: DataTableColumn<BatchItem> = {
  key: 'number',
  label: 'Number',
  cell: ({ number, state }) =>
    number ?? <span className={classes.muted}>{state === 'waiting' ? 'Next' : 'Draft'}</span>,
};
const FAMILY: DataTableColumn<BatchItem> = {
  key: 'family',
  label: 'Family',
  isRowHeader: true,
  cell: ({ familyId, familyName }) => (
    <Link to="/families/$id" params={{ id: String(familyId) }}>
      {familyName}
    </Link>
  ),
};
const CHILDREN: DataTableColumn<BatchItem> = {
  key: 'children',
  label: 'Children',
  from: 'desktop',
  cell: ({ students }) => <span className={classes.muted}>{students.join(', ')}</span>,
};
const SEND_TO: DataTableColumn<BatchItem> = {
  key: 'address',
  label: 'Send to',
  from: 'desktop',
  cell: ({ address }) => <span className={classes.muted}>{address ?? 'None'}</span>,
};

const createColumns = (
  { kind, items }: Batch,
  dateContext: DateContext,
): DataTableColumn<BatchItem>[] => {
  const format = createColumnAmountFormatter(items.map(({ amount }) => amount?.minor ?? 0));
  const hasInvoices = kind !== 'send_reminders';
  const status: DataTableColumn<BatchItem> = {
    key: 'state',
    label: 'Status',
    cell: (item) => <BatchItemStatus item={item} kind={kind} dateContext={dateContext} />,
  };
  const amount: DataTableColumn<BatchItem> = {
    key: 'amount',
    label: 'Amount',
    align: 'end',
    cell: (item) => item.amount && <b>{format(item.amount.minor, item.amount.currency)}</b>,
  };
  return [
    ...(hasInvoices ? [NUMBER] : []),
    FAMILY,
    ...(hasInvoices ? [CHILDREN] : []),
    ...(kind === 'issue_invoices' ? [] : [SEND_TO]),
    status,
    ...(hasInvoices ? [amount] : []),
    { key: 'open', label: 'Open', hidesLabel: true, align: 'end', cell: ItemAction },
  ];
};

export function BatchTable({ batch, dateContext }: ItemsProps) {
  return (
    <DataTable
      label={batch.kind === 'send_reminders' ? 'Reminders' : 'Invoices'}
      columns={createColumns(batch, dateContext)}
      rows={batch.items}
      footer={<BatchFooter batch={batch} />}
    />
  );
}

function ItemAction(item: BatchItem) {
  const { invoiceId, state, number, messageId, familyName } = item;
  if (state === 'to_send' && messageId !== null) {
    return (
      <Link to="/messages" search={{ message: messageId }} aria-label={`Open, ${familyName}`}>
        Open
      </Link>
    );
  }
  if (invoiceId === null || state === 'waiting' || state === 'sending') return null;
  if (needsManualDelivery(item)) {
    return (
      <Button
        component="a"
        variant="default"
        size="xs"
        href={invoicePdfUrl(invoiceId)}
        download
        aria-label={`Download PDF, ${number}`}
      >
        Download PDF
      </Button>
    );
  }
  return (
    <Link
      to="/invoices/$id"
      params={{ id: String(invoiceId) }}
      aria-label={`Open, ${number ?? familyName}`}
    >
      Open
    </Link>
  );
}

function BatchFooter({ batch }: { batch: Batch }) {
  const { kind, done, notDone, total } = batch;
  const word = doneLabel(kind);
  return (
    <>
      <span>
        {kind === 'issue_invoices'
          ? 'Each invoice gets one number'
          : 'Each family gets one email, even if you press Send again'}
      </span>
      <span className={classes.counts}>
        <span>
          {word === 'sent' ? 'Sent' : 'Issued'} <b>{done}</b>
        </span>
        {notDone > 0 && (
          <span>
            Not {word} <b data-failed>{notDone}</b>
          </span>
        )}
        {total > done + notDone && (
          <span>
            Remaining <b>{total - done - notDone}</b>
          </span>
        )}
      </span>
    </>
  );
}

export function BatchList({ batch, dateContext }: ItemsProps) {
  const format = createColumnAmountFormatter(batch.items.map(({ amount }) => amount?.minor ?? 0));
  return (
    <Card>
      <ul className={classes.list}>
        {batch.items.map((item) => (
          <li key={item.id}>
            <span className={classes.payer}>
              <Link to="/families/$id" params={{ id: String(item.familyId) }}>
                {item.familyName}
              </Link>
              <small>
                {[item.number, item.amount && format(item.amount.minor, item.amount.currency)]
                  .filter(Boolean)
                  .join(', ')}
              </small>
              <BatchItemStatus item={item} kind={batch.kind} dateContext={dateContext} />
            </span>
            {ItemAction(item)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
