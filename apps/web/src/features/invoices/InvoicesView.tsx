import type { InvoiceRow } from '@lessonbook/contract/invoices';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { createAmountFormatter, firstName, formatList, formatShortDate } from '../../lib/format.ts';
import { matchesAllWords } from '../../lib/normalize-text.ts';
import { INVOICES_PAGE_SIZE, invoicesQuery } from './api.ts';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import classes from './InvoicesView.module.css';

/** Searches by number, payer's name and children's names. */
export const searchInvoices = (rows: readonly InvoiceRow[], search: string): InvoiceRow[] =>
  rows.filter(({ number, familyName, students }) =>
    matchesAllWords([number, familyName, ...students].join(' '), search),
  );

/** Rows keep the server's order: drafts first, then newest first. */
function InvoiceList({ rows, today }: { rows: readonly InvoiceRow[]; today: string }) {
  const amount = createAmountFormatter(rows.flatMap(({ total, due }) => [total, due]));
  return (
    <ul>
      {rows.map((row) => (
        <LinkRowWithAmount
          key={row.id}
          to="/invoices/$id"
          params={{ id: String(row.id) }}
          name={row.familyName}
          description={[row.number, formatChildren(row)].filter(Boolean).join(', ')}
          status={
            <span className={classes.state}>
              <InvoiceStatus kind={row.kind} state={row.state} holdReason={row.holdReason} />
              {isAwaitingPayment(row) && row.dueOn && (
                <small>due {formatShortDate(row.dueOn, today)}</small>
              )}
            </span>
          }
          amount={amount(row.total, row.currency)}
          amountDetail={
            isAwaitingPayment(row) &&
            row.due !== row.total &&
            `${amount(row.due, row.currency)} still due`
          }
        />
      ))}
    </ul>
  );
}

const isAwaitingPayment = ({ state, kind }: InvoiceRow): boolean =>
  kind === 'invoice' && (state === 'sent' || state === 'part_paid' || state === 'overdue');

/** Empty if the payer is the only child, whose name is already shown. */
function formatChildren({ students, familyName }: InvoiceRow): string {
  return students.length === 1 && students[0] === firstName(familyName) ? '' : formatList(students);
}

const filters = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'open', label: 'Open' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Paid' },
] as const;
type InvoiceStateFilter = (typeof filters)[number]['value'];

interface InvoiceFiltersProps {
  filter: InvoiceStateFilter;
  onFilterChange: (filter: InvoiceStateFilter) => void;
  search: string;
  onSearchChange: (search: string) => void;
}

function InvoiceFilters({ filter, onFilterChange, search, onSearchChange }: InvoiceFiltersProps) {
  return (
    <div className={classes.filters}>
      <div className={classes.states}>
        <SegmentedControl
          label="Show"
          value={filter}
          options={filters}
          onChange={onFilterChange}
          manualActivation
        />
      </div>
      <TextInput
        type="search"
        aria-label="Search invoices"
        placeholder="Number or name"
        leftSection={<IconSearch size={18} stroke={1.8} />}
        value={search}
        onChange={(event) => onSearchChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** The search runs on the client, so up to this many invoices are loaded. */
const SEARCH_LIMIT = 500;

interface Props {
  familyId: number | undefined;
  filter: InvoiceStateFilter;
  onFilterChange: (filter: InvoiceStateFilter) => void;
  today: string;
}

/** All invoices and credit notes, filtered by state, name or number. */
export function InvoicesView({ familyId, filter, onFilterChange, today }: Props) {
  const [search, setSearch] = useState('');
  const isSearching = search.trim() !== '';
  const list = useInfiniteQuery({
    ...invoicesQuery({
      familyId,
      ...(filter !== 'all' && { state: filter }),
      limit: isSearching ? SEARCH_LIMIT : INVOICES_PAGE_SIZE,
    }),
    placeholderData: keepPreviousData,
  });
  const rows = searchInvoices(list.data?.pages.flat() ?? [], search);
  const isUnfiltered = filter === 'all' && !isSearching;

  if (list.isSuccess && rows.length === 0 && isUnfiltered) {
    return (
      <Card>
        <EmptyState illustration={<Illustration name="register" size={112} />}>
          No invoices yet. An invoice gathers the lessons of a payer and asks for their money.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <InvoiceFilters
        filter={filter}
        onFilterChange={onFilterChange}
        search={search}
        onSearchChange={setSearch}
      />
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isError && (
        <LoadError onRetry={() => void list.refetch()}>
          Your invoices could not be loaded.
        </LoadError>
      )}
      <div aria-busy={list.isPlaceholderData}>
        {rows.length > 0 && <InvoiceList rows={rows} today={today} />}
        {list.isSuccess && rows.length === 0 && (
          <EmptyState illustration={<Illustration name="register" size={88} />}>
            {isSearching ? 'No invoice of that name or number.' : emptyTexts[filter]}
          </EmptyState>
        )}
      </div>
      <ShowMore list={list} />
    </Card>
  );
}

const emptyTexts: Record<InvoiceStateFilter, string> = {
  all: 'No invoices yet.',
  draft: 'No drafts are waiting.',
  open: 'Nothing is open.',
  overdue: 'Nothing is overdue.',
  paid: 'Nothing is paid yet.',
};
