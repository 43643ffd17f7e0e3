import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { ShowMore } from '../../components/ShowMore.tsx';
import { Spot } from '../../components/Spot.tsx';
import { FIRST_INVOICES, invoicesQuery } from './api.ts';
import { type Filter, InvoiceFilters } from './InvoiceFilters.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import { found } from './invoice-search.ts';

/** Looking for a name needs all of them at hand. */
const PLENTY = 500;

interface Props {
  familyId: number | undefined;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  today: string;
}

/** Every invoice and credit note, by state, name or number. */
export function InvoiceBook({ familyId, filter, onFilter, today }: Props) {
  const [words, setWords] = useState('');
  const isSearch = words.trim() !== '';
  const list = useInfiniteQuery({
    ...invoicesQuery({
      familyId,
      ...(filter !== 'all' && { state: filter }),
      limit: isSearch ? PLENTY : FIRST_INVOICES,
    }),
    placeholderData: keepPreviousData,
  });
  const rows = found(list.data?.pages.flat() ?? [], words);
  const isNew = filter === 'all' && !isSearch;

  if (list.isSuccess && rows.length === 0 && isNew) {
    return (
      <Sheet>
        <EmptyState drawing={<Spot name="register" size={112} />}>
          No invoices yet. An invoice gathers the lessons of a payer and asks for their money.
        </EmptyState>
      </Sheet>
    );
  }
  return (
    <Sheet>
      <InvoiceFilters filter={filter} onFilter={onFilter} words={words} onWords={setWords} />
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isError && (
        <LoadError onRetry={() => void list.refetch()}>
          Your invoices could not be loaded.
        </LoadError>
      )}
      <div aria-busy={list.isPlaceholderData}>
        {rows.length > 0 && <InvoiceList rows={rows} today={today} />}
        {list.isSuccess && rows.length === 0 && (
          <EmptyState drawing={<Spot name="register" size={88} />}>
            {isSearch ? 'No invoice of that name or number.' : nothing[filter]}
          </EmptyState>
        )}
      </div>
      <ShowMore list={list} />
    </Sheet>
  );
}

const nothing: Record<Filter, string> = {
  all: 'No invoices yet.',
  draft: 'No drafts are waiting.',
  open: 'Nothing is open.',
  overdue: 'Nothing is overdue.',
  paid: 'Nothing is paid yet.',
};
