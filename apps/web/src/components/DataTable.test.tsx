import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { BulkBar } from './BulkBar.tsx';
import { DataTable, type DataTableColumn, type DataTableSort } from './DataTable.tsx';

interface Row {
  id: number;
  name: string;
  amount: string;
}

const rows: Row[] = [
  { id: 1, name: 'MT-0001', amount: '£10' },
  { id: 2, name: 'MT-0002', amount: '£20' },
  { id: 3, name: 'MT-0003', amount: '£30' },
];

const columns: DataTableColumn<Row, 'name' | 'amount'>[] = [
  {
    key: 'name',
    label: 'Number',
    sortKey: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <a href={`#${id}`}>{name}</a>,
  },
  { key: 'amount', label: 'Amount', sortKey: 'amount', align: 'end', cell: (row) => row.amount },
  { key: 'menu', label: 'Menu', hidesLabel: true, cell: () => <button type="button">Menu</button> },
];

const createUser = () => userEvent.setup({ delay: null });

test('F135 clicking a column header sorts by that column, and clicking again reverses the order', async () => {
  const changes: DataTableSort<'name' | 'amount'>[] = [];
  function Sorted() {
    const [sort, setSort] = useState<DataTableSort<'name' | 'amount'>>({
      by: 'name',
      direction: 'desc',
    });
    return (
      <DataTable
        label="Invoices"
        columns={columns}
        rows={rows}
        sort={sort}
        onSort={(next) => {
          changes.push(next);
          setSort(next);
        }}
      />
    );
  }
  render(<Sorted />);
  const user = createUser();
  const head = (name: string) => screen.getByRole('columnheader', { name });
  expect(head('Number').getAttribute('aria-sort')).toBe('descending');
  expect(head('Amount').getAttribute('aria-sort')).toBeNull();
  await user.click(within(head('Amount')).getByRole('button'));
  await user.click(within(head('Amount')).getByRole('button'));
  expect(changes).toEqual([
    { by: 'amount', direction: 'asc' },
    { by: 'amount', direction: 'desc' },
  ]);
  expect(head('Amount').getAttribute('aria-sort')).toBe('descending');
  expect(within(head('Menu')).queryByRole('button')).toBeNull();
});

test('F135 rows are selected one by one or all at once', async () => {
  function Selectable() {
    const [ids, setIds] = useState<ReadonlySet<number>>(new Set([9]));
    return (
      <>
        <DataTable
          label="Invoices"
          columns={columns}
          rows={rows}
          selection={{ ids, onChange: setIds, rowLabel: ({ name }) => `Select ${name}` }}
        />
        <output>{[...ids].join(' ')}</output>
      </>
    );
  }
  render(<Selectable />);
  const user = createUser();
  const readSelected = () => screen.getByRole('status').textContent;
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all rows shown' });
  expect(all.indeterminate).toBe(false);

  await user.click(screen.getByRole('checkbox', { name: 'Select MT-0002' }));
  expect(readSelected()).toBe('9 2');
  expect(all.indeterminate).toBe(true);

  await user.click(all);
  expect(readSelected()).toBe('9 2 1 3');
  expect(all.checked).toBe(true);
  expect(all.indeterminate).toBe(false);

  // Selected rows that are not shown stay selected.
  await user.click(all);
  expect(readSelected()).toBe('9');
  screen.getByRole('link', { name: 'MT-0002' }).focus();
  await user.keyboard('{Escape}');
  expect(readSelected()).toBe('');
});

test('arrow keys move between the links of the rows', async () => {
  const onCurrentChange = vi.fn();
  render(
    <DataTable
      label="Invoices"
      columns={columns}
      rows={rows}
      currentId={2}
      onCurrentChange={onCurrentChange}
    />,
  );
  const user = createUser();
  const link = (name: string) => screen.getByRole('link', { name });
  link('MT-0001').focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(link('MT-0003'));
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(link('MT-0002'));
  expect(onCurrentChange.mock.calls.map(([row]) => row.id)).toEqual([2, 3, 2]);
  const current = screen.getAllByRole('row').filter((row) => row.hasAttribute('aria-current'));
  expect(current.map((row) => within(row).getByRole('link').textContent)).toEqual(['MT-0002']);
});

test('a click on a row opens its link, unless the click is on a control in the row', async () => {
  render(<DataTable label="Invoices" columns={columns} rows={rows} />);
  const user = createUser();
  const opened = vi.fn((event: Event) => event.preventDefault());
  screen.getByRole('link', { name: 'MT-0002' }).addEventListener('click', opened);
  const row = screen.getByRole('row', { name: /MT-0002/ });
  await user.click(within(row).getByRole('button', { name: 'Menu' }));
  expect(opened).not.toHaveBeenCalled();
  await user.click(within(row).getByRole('cell', { name: '£20' }));
  expect(opened).toHaveBeenCalledOnce();
});

test('while the rows are loading, the headers are shown above placeholder rows', () => {
  render(<DataTable label="Invoices" columns={columns} rows={undefined} footer="No rows" />);
  expect(screen.getByRole('table', { name: 'Invoices' }).getAttribute('aria-busy')).toBe('true');
  expect(screen.getByRole('columnheader', { name: 'Amount' })).toBeDefined();
  expect(screen.getByRole('status').textContent).toBe('Loading');
});

test('F135 the bulk bar shows the selection summary and the actions', async () => {
  const onClick = vi.fn();
  const onClear = vi.fn();
  const Icon = (() => null) as never;
  render(
    <BulkBar
      label="Selected invoices"
      summary="3 selected, £205.00 due"
      actions={[
        { label: 'Send reminder', Icon, onClick },
        { label: 'Issue drafts', Icon, onClick, disabled: true },
      ]}
      onClear={onClear}
    />,
  );
  const user = createUser();
  const bar = within(screen.getByRole('region', { name: 'Selected invoices' }));
  expect(bar.getByRole('status').textContent).toBe('3 selected, £205.00 due');
  await user.click(bar.getByRole('button', { name: 'Send reminder' }));
  await user.click(bar.getByRole('button', { name: 'Issue drafts' }));
  expect(onClick).toHaveBeenCalledOnce();
  await user.click(bar.getByRole('button', { name: 'Clear' }));
  expect(onClear).toHaveBeenCalledOnce();
});
