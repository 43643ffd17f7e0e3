import type { InvoiceSortKey } from '@lessonbook/contract/invoice-list-filters-and-totals';
import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { Card } from '../../components/Card.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import {
  DataTable,
  type DataTableColumn,
  type DataTableSort,
} from '../../components/DataTable.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { firstName, formatAmount, formatDayMonth, formatList } from '../../lib/format.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { handleRowKeys } from '../../lib/row-keyboard-navigation.ts';
import { describeLastEvent } from './describe-last-invoice-event.ts';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import classes from './InvoiceTable.module.css';

type Column = DataTableColumn<InvoiceListRow, InvoiceSortKey>;

const NUMBER: Column = {
  key: 'number',
  label: 'Number',
  sortKey: 'number',
  isRowHeader: true,
  cell: ({ id, number }) => (
    <Link to="/invoices/$id" params={{ id: String(id) }}>
      {number ?? 'Draft'}
    </Link>
  ),
};

const FAMILY: Column = {
  key: 'family',
  label: 'Family',
  sortKey: 'family',
  cell: ({ familyId, familyName }) => (
    <Link className={classes.family} to="/families/$id" params={{ id: String(familyId) }}>
      {familyName}
    </Link>
  ),
};

const CHILDREN: Column = {
  key: 'children',
  label: 'Children',
  from: 'desktop',
  cell: (row) => <span className={classes.muted}>{row.students.join(', ')}</span>,
};

const STATUS: Column = {
  key: 'status',
  label: 'Status',
  cell: (row) => <RowStatus row={row} />,
};

const createColumns = (
  dateContext: DateContext,
  renderMenu: Props['renderMenu'] | null,
): Column[] => {
  const { today } = dateContext;
  return [
    NUMBER,
    FAMILY,
    CHILDREN,
    {
      key: 'issued',
      label: 'Issued',
      sortKey: 'issued',
      from: 'desktop',
      cell: ({ issuedOn }) => issuedOn && formatDayMonth(issuedOn, today),
    },
    {
      key: 'due',
      label: 'Due',
      sortKey: 'due',
      cell: ({ dueOn, state }) =>
        dueOn && <span data-overdue={state === 'overdue'}>{formatDayMonth(dueOn, today)}</span>,
    },
    STATUS,
    {
      key: 'event',
      label: 'Latest activity',
      hidesLabel: true,
      from: 'wide',
      cell: (row) => <small className={classes.muted}>{describeLastEvent(row, dateContext)}</small>,
    },
    {
      key: 'amount',
      label: 'Amount',
      sortKey: 'amount',
      align: 'end',
      cell: ({ total, currency, state }) => (
        <b className={classes.amount} data-overdue={state === 'overdue'} data-state={state}>
          {formatAmount(total, currency, true)}
        </b>
      ),
    },
    ...(renderMenu
      ? [
          {
            key: 'menu',
            label: 'Actions',
            hidesLabel: true,
            align: 'end',
            cell: renderMenu,
          } satisfies Column,
        ]
      : []),
  ];
};

const RowStatus = ({ row }: { row: InvoiceListRow }) => (
  <InvoiceStatus kind={row.kind} state={row.state} holdReason={row.holdReason} />
);

const describeRow = ({ number, familyName }: InvoiceListRow): string =>
  `Select ${number ?? `draft for ${familyName}`}`;

interface Props {
  /** Undefined while the invoices are loading. */
  rows: readonly InvoiceListRow[] | undefined;
  dateContext: DateContext;
  sort: DataTableSort<InvoiceSortKey>;
  onSort: (sort: DataTableSort<InvoiceSortKey>) => void;
  /** Null if the rows cannot be acted on at the moment. */
  selection: { ids: ReadonlySet<number>; onChange: (ids: ReadonlySet<number>) => void } | null;
  renderMenu: (row: InvoiceListRow) => ReactNode;
  footer: ReactNode;
  isBusy: boolean;
}

export function InvoiceTable({ rows, dateContext, selection, renderMenu, ...table }: Props) {
  const canAct = selection !== null;
  const columns = useMemo(
    () => createColumns(dateContext, canAct ? renderMenu : null),
    [dateContext, canAct, renderMenu],
  );
  return (
    <div className={classes.table}>
      <DataTable
        label="Invoices"
        columns={columns}
        rows={rows}
        {...(selection && { selection: { ...selection, rowLabel: describeRow } })}
        {...table}
      />
    </div>
  );
}

type ListProps = Omit<Props, 'sort' | 'onSort' | 'renderMenu'> & { isSelecting: boolean };

/** The invoices as a list, for phones. */
export function InvoiceList({ rows, dateContext, selection, isSelecting, footer }: ListProps) {
  const { today } = dateContext;
  return (
    <Card>
      {!rows && <RowSkeleton rows={6} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows are links */}
      <ul className={classes.list} onKeyDown={(event) => handleRowKeys(event)}>
        {rows?.map((row) => (
          <LinkRowWithAmount
            key={row.id}
            to="/invoices/$id"
            params={{ id: String(row.id) }}
            leading={
              selection &&
              isSelecting && (
                <Checkbox
                  aria-label={describeRow(row)}
                  checked={selection.ids.has(row.id)}
                  onChange={(checked) => {
                    const ids = new Set(selection.ids);
                    if (checked) ids.add(row.id);
                    else ids.delete(row.id);
                    selection.onChange(ids);
                  }}
                />
              )
            }
            name={row.familyName}
            description={[row.number, formatChildren(row)].filter(Boolean).join(', ')}
            status={
              <span className={classes.state}>
                <RowStatus row={row} /> <small>{describeLastEvent(row, dateContext)}</small>
              </span>
            }
            amount={
              <span data-overdue={row.state === 'overdue'} data-state={row.state}>
                {formatAmount(row.total, row.currency, true)}
              </span>
            }
            amountDetail={
              isAwaitingPayment(row) && row.dueOn && `due ${formatDayMonth(row.dueOn, today)}`
            }
          />
        ))}
      </ul>
      <div className={classes.footer}>{footer}</div>
    </Card>
  );
}

export const isAwaitingPayment = ({ state, kind }: InvoiceListRow): boolean =>
  kind === 'invoice' && (state === 'sent' || state === 'part_paid' || state === 'overdue');

/** Empty if the payer is the only child, whose name is already shown. */
function formatChildren({ students, familyName }: InvoiceListRow): string {
  return students.length === 1 && students[0] === firstName(familyName) ? '' : formatList(students);
}
