import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { handleRowKeys } from '../lib/row-keyboard-navigation.ts';
import { Checkbox } from './Checkbox.tsx';
import classes from './DataTable.module.css';

export interface DataTableColumn<Row, SortKey extends string = string> {
  key: string;
  label: string;
  /** The column can be sorted by this key. */
  sortKey?: SortKey;
  /** For amounts of money. */
  align?: 'end';
  /** The narrowest layout that shows the column. If omitted, the column is always shown. */
  from?: 'desktop' | 'wide';
  /** For the column whose cell names the row. The first link in the cell opens the row. */
  isRowHeader?: true;
  /** The label is for screen readers only, such as above a menu. */
  hidesLabel?: true;
  cell: (row: Row) => ReactNode;
}

export interface DataTableSort<SortKey extends string> {
  by: SortKey;
  direction: 'asc' | 'desc';
}

interface Props<Row extends { id: number }, SortKey extends string> {
  /** Read by screen readers. */
  label: string;
  columns: readonly DataTableColumn<Row, SortKey>[];
  /** Undefined while the first rows are loading: placeholder rows are shown. */
  rows: readonly Row[] | undefined;
  sort?: DataTableSort<SortKey>;
  onSort?: (sort: DataTableSort<SortKey>) => void;
  selection?: {
    ids: ReadonlySet<number>;
    onChange: (ids: ReadonlySet<number>) => void;
    /** 'Select MT-0231' */
    rowLabel: (row: Row) => string;
  };
  /** The row whose record is shown beside the table. */
  currentId?: number | undefined;
  /** Called with the row that the arrow keys or a click move to. If omitted, a click opens the link of the row. */
  onCurrentChange?: (row: Row) => void;
  /** Totals below the rows. */
  footer?: ReactNode;
  /** Older rows stay visible while newer ones are loading. */
  isBusy?: boolean;
}

/** A table of records for tablets and wider screens. The arrow keys move between rows; Enter follows the row's link. */
export function DataTable<Row extends { id: number }, SortKey extends string = string>(
  props: Props<Row, SortKey>,
) {
  const { label, columns, rows, selection, currentId, footer, isBusy = false } = props;
  const columnCount = columns.length + (selection ? 1 : 0);
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label} aria-busy={isBusy || !rows}>
        <TableHead {...props} />
        {rows ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows hold links
          <tbody
            onKeyDown={(event) => {
              // Escape in the menu of a row, which is outside the table, closes only the menu.
              const isInTable = event.currentTarget.contains(event.target as Element);
              if (event.key === 'Escape' && isInTable) selection?.onChange(new Set());
              handleRowKeys(event, (position) => props.onCurrentChange?.(rows[position] as Row));
            }}
          >
            {rows.map((row) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the link in the row works with the keyboard.
              <tr
                key={row.id}
                className={classes.row}
                data-selected={selection?.ids.has(row.id) || undefined}
                aria-current={row.id === currentId || undefined}
                onClick={(event) => openRow(event, row, props.onCurrentChange)}
              >
                {selection && (
                  <td className={classes.select}>
                    <SelectRow row={row} selection={selection} />
                  </td>
                )}
                {columns.map((column) => (
                  <BodyCell key={column.key} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        ) : (
          <SkeletonRows columns={columns} hasSelection={Boolean(selection)} />
        )}
        {footer && (
          <tfoot>
            <tr>
              <td colSpan={columnCount}>
                <div className={classes.footer}>{footer}</div>
              </td>
            </tr>
          </tfoot>
        )}
      </table>
      {!rows && (
        <p role="status" aria-label="Loading" className={classes.hiddenText}>
          Loading
        </p>
      )}
    </div>
  );
}

function TableHead<Row extends { id: number }, SortKey extends string>({
  columns,
  rows = [],
  sort,
  onSort,
  selection,
}: Props<Row, SortKey>) {
  const selectedCount = rows.filter(({ id }) => selection?.ids.has(id)).length;
  const areAllSelected = rows.length > 0 && selectedCount === rows.length;
  return (
    <thead>
      <tr>
        {selection && (
          <th className={classes.select}>
            <label>
              <Checkbox
                aria-label="Select all rows shown"
                checked={areAllSelected}
                indeterminate={selectedCount > 0 && !areAllSelected}
                disabled={rows.length === 0}
                onChange={() => selection.onChange(toggleAll(rows, selection.ids, areAllSelected))}
              />
            </label>
          </th>
        )}
        {columns.map((column) => {
          const { sortKey } = column;
          const direction = sortKey && sort?.by === sortKey ? sort.direction : undefined;
          return (
            <th
              key={column.key}
              scope="col"
              data-from={column.from}
              data-align={column.align}
              aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
            >
              {sortKey && onSort ? (
                <button
                  type="button"
                  onClick={() =>
                    onSort({ by: sortKey, direction: direction === 'asc' ? 'desc' : 'asc' })
                  }
                >
                  {column.label}
                  {direction === 'asc' && <IconArrowUp size={14} stroke={2} />}
                  {direction === 'desc' && <IconArrowDown size={14} stroke={2} />}
                </button>
              ) : (
                <span className={column.hidesLabel && classes.hiddenText}>{column.label}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function SelectRow<Row extends { id: number }>({
  row,
  selection,
}: {
  row: Row;
  selection: NonNullable<Props<Row, string>['selection']>;
}) {
  const { ids, onChange, rowLabel } = selection;
  return (
    <label>
      <Checkbox
        aria-label={rowLabel(row)}
        checked={ids.has(row.id)}
        onChange={(checked) => {
          const next = new Set(ids);
          if (checked) next.add(row.id);
          else next.delete(row.id);
          onChange(next);
        }}
      />
    </label>
  );
}

function BodyCell<Row, SortKey extends string>({
  column,
  row,
}: {
  column: DataTableColumn<Row, SortKey>;
  row: Row;
}) {
  const attributes = { 'data-from': column.from, 'data-align': column.align };
  return column.isRowHeader ? (
    <th scope="row" {...attributes}>
      {column.cell(row)}
    </th>
  ) : (
    <td {...attributes}>{column.cell(row)}</td>
  );
}

const SKELETON_ROWS = 12;

function SkeletonRows<Row, SortKey extends string>({
  columns,
  hasSelection,
}: {
  columns: readonly DataTableColumn<Row, SortKey>[];
  hasSelection: boolean;
}) {
  return (
    <tbody className={classes.skeleton} aria-hidden="true">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <tr key={row}>
          {hasSelection && (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- hidden from screen readers
            <td className={classes.select}>
              <i />
            </td>
          )}
          {columns.map(({ key, from, align }) => (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- hidden from screen readers
            <td key={key} data-from={from} data-align={align}>
              <i />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function toggleAll(
  rows: readonly { id: number }[],
  ids: ReadonlySet<number>,
  areAllSelected: boolean,
): ReadonlySet<number> {
  const next = new Set(ids);
  for (const { id } of rows) {
    if (areAllSelected) next.delete(id);
    else next.add(id);
  }
  return next;
}

const INTERACTIVE_SELECTOR = 'a, button, input, label, [role="menu"]';

function openRow<Row>(
  event: MouseEvent<HTMLTableRowElement>,
  row: Row,
  onCurrentChange: ((row: Row) => void) | undefined,
): void {
  const target = event.target as Element;
  const isInside = event.currentTarget.contains(target);
  if (!isInside || target.closest(INTERACTIVE_SELECTOR) || window.getSelection()?.toString())
    return;
  if (onCurrentChange) onCurrentChange(row);
  else event.currentTarget.querySelector<HTMLElement>('th a')?.click();
}
