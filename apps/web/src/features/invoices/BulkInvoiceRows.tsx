import type { InvoiceBatchRow } from '@lessonbook/contract/invoice-and-reminder-batches';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { DataTable, type DataTableColumn } from '../../components/DataTable.tsx';
import {
  createColumnAmountFormatter,
  formatDayMonth,
  formatList,
  pluralize,
} from '../../lib/format.ts';
import classes from './BulkInvoiceReview.module.css';

/** '4 lessons, 17 Nov to 30 Nov' or '1 item' */
function formatContents(row: InvoiceBatchRow, today: string): string {
  const { lessonCount, lineCount, firstDate, lastDate } = row;
  if (lineCount === 0) return 'No items yet';
  const items = lineCount - lessonCount;
  const dates =
    firstDate && lastDate && firstDate !== lastDate
      ? `${formatDayMonth(firstDate, today)} to ${formatDayMonth(lastDate, today)}`
      : firstDate && formatDayMonth(firstDate, today);
  return [
    lessonCount > 0 && pluralize(lessonCount, 'lesson'),
    items > 0 && pluralize(items, 'item'),
    dates,
  ]
    .filter(Boolean)
    .join(', ');
}

interface ListProps {
  rows: readonly InvoiceBatchRow[];
  selection: {
    ids: ReadonlySet<number>;
    onChange: (ids: ReadonlySet<number>) => void;
    rowLabel: (row: InvoiceBatchRow) => string;
  };
  today: string;
  onPreview: (id: number) => void;
  footer: ReactNode;
}

function SendTo({ row }: { row: InvoiceBatchRow }) {
  if (row.address && !row.problem) return <span className={classes.muted}>{row.address}</span>;
  return (
    <span className={classes.problem}>
      <span>
        <IconAlertTriangle size={14} stroke={2} />
        {row.address ? row.problem : 'No email'}
      </span>
      {!row.address && (
        <Link
          to="/families/$id"
          params={{ id: String(row.familyId) }}
          search={{ tab: 'people' }}
          aria-label={`Add email for ${row.familyName}`}
        >
          Add email
        </Link>
      )}
    </span>
  );
}

interface AmountProps {
  row: InvoiceBatchRow;
  format: ReturnType<typeof createColumnAmountFormatter>;
}

/** The total, and the amount left to pay if the invoice has been part-paid. */
const Amount = ({ row: { total, due, currency }, format }: AmountProps) => (
  <>
    <b>{format(total, currency)}</b>
    {due < total && <small className={classes.muted}> {format(due, currency)} left to pay</small>}
  </>
);

function PreviewButton({
  row,
  onPreview,
}: { row: InvoiceBatchRow } & Pick<ListProps, 'onPreview'>) {
  return (
    <Button
      variant="subtle"
      aria-label={`Preview invoice for ${row.familyName}`}
      onClick={() => onPreview(row.id)}
    >
      Preview
    </Button>
  );
}

const createColumns = ({
  rows,
  today,
  onPreview,
}: Pick<ListProps, 'rows' | 'today' | 'onPreview'>): DataTableColumn<InvoiceBatchRow>[] => {
  const format = createColumnAmountFormatter(rows.map(({ total }) => total));
  return [
    {
      key: 'family',
      label: 'Family',
      isRowHeader: true,
      cell: ({ id, familyName, number }) => (
        <Link to="/invoices/$id" params={{ id: String(id) }}>
          {[number, familyName].filter(Boolean).join(', ')}
        </Link>
      ),
    },
    {
      key: 'children',
      label: 'Children',
      from: 'desktop',
      cell: ({ students }) => <span className={classes.muted}>{students.join(', ')}</span>,
    },
    { key: 'for', label: 'For', cell: (row) => formatContents(row, today) },
    { key: 'to', label: 'Send to', cell: (row) => <SendTo row={row} /> },
    {
      key: 'amount',
      label: 'Amount',
      align: 'end',
      cell: (row) => <Amount row={row} format={format} />,
    },
    {
      key: 'preview',
      label: 'Preview',
      hidesLabel: true,
      align: 'end',
      cell: (row) => <PreviewButton row={row} onPreview={onPreview} />,
    },
  ];
};

export function ReviewTable({ selection, footer, ...list }: ListProps) {
  return (
    <DataTable
      label="Invoices"
      columns={createColumns(list)}
      rows={list.rows}
      selection={selection}
      footer={footer}
    />
  );
}

export function ReviewList({ rows, selection, today, onPreview, footer }: ListProps) {
  const format = createColumnAmountFormatter(rows.map(({ total }) => total));
  const select = (id: number, isSelected: boolean) => {
    const next = new Set(selection.ids);
    if (isSelected) next.add(id);
    else next.delete(id);
    selection.onChange(next);
  };
  return (
    <Card>
      <ul className={classes.list}>
        {rows.map((row) => (
          <li key={row.id}>
            <Checkbox
              aria-label={selection.rowLabel(row)}
              checked={selection.ids.has(row.id)}
              onChange={(isSelected) => select(row.id, isSelected)}
            />
            <span className={classes.payer}>
              <b>{row.familyName}</b>
              <small>
                {[formatList(row.students), formatContents(row, today)].filter(Boolean).join(': ')}
              </small>
              <SendTo row={row} />
            </span>
            <span className={classes.amount}>
              <Amount row={row} format={format} />
              <PreviewButton row={row} onPreview={onPreview} />
            </span>
          </li>
        ))}
      </ul>
      <div className={classes.listFooter}>{footer}</div>
    </Card>
  );
}
