import type { InvoiceSummary } from '@lessonbook/contract/invoice-list-filters-and-totals';
import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LoadError, ShowMore } from '../../components/ListStates.tsx';
import { formatTotals } from '../../lib/format.ts';
import { type DateContext, formatTimeAt } from '../../lib/format-timestamp.ts';
import { UnfinishedBatches } from '../batches/shared/UnfinishedBatches.tsx';
import { invoiceSummaryQuery, invoicesQuery } from './api.ts';
import { InvoiceBulkBar } from './InvoiceBulkBar.tsx';
import { InvoiceFilters } from './InvoiceFilters.tsx';
import classes from './InvoicesView.module.css';
import { InvoiceList, InvoiceTable } from './InvoiceTable.tsx';
import { formatIds, parseIds } from './ids-in-url.ts';
import {
  DEFAULT_SORT,
  type InvoicesSearch,
  invoicesCsvUrl,
  toInvoiceFilter,
  toInvoiceSort,
} from './invoice-search-params.ts';
import { NoInvoices } from './NoInvoices.tsx';

interface Props {
  search: InvoicesSearch;
  onSearchChange: (search: InvoicesSearch) => void;
  dateContext: DateContext;
  /** The menu at the end of a row. */
  renderMenu: (row: InvoiceListRow) => ReactNode;
}

/** All invoices and credit notes as a table, or as a list on a phone. */
export function InvoicesView({ search, onSearchChange, dateContext, renderMenu }: Props) {
  const filter = toInvoiceFilter(search, dateContext.today);
  const { sort: by, direction } = toInvoiceSort(search);
  const list = useInfiniteQuery({
    ...invoicesQuery({ ...filter, sort: by, direction }),
    placeholderData: keepPreviousData,
  });
  const summary = useQuery({ ...invoiceSummaryQuery(filter), placeholderData: keepPreviousData });
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [isSelecting, setIsSelecting] = useState(search.selected !== undefined);
  const rows = useMemo(() => list.data?.pages.flat(), [list.data]);
  const selectedIds = useMemo(
    () => new Set(search.selected ? parseIds(search.selected) : []),
    [search.selected],
  );
  const isFiltered = Boolean(search.state || search.q || search.period);
  const isOutdated = list.isError && rows !== undefined;

  const select = (ids: ReadonlySet<number>) =>
    onSearchChange({ ...search, selected: formatIds([...ids]) });
  // Rows that a filter hides are deselected, so that nothing is sent unseen.
  const changeFilter = (change: InvoicesSearch) =>
    onSearchChange({ ...search, ...change, selected: undefined });

  if (list.isError && !rows) {
    return (
      <Card>
        <LoadError onRetry={() => void list.refetch()}>
          We couldn't load your invoices. Your records are safe.
        </LoadError>
      </Card>
    );
  }
  if (rows?.length === 0 && !isFiltered && !list.isPlaceholderData) {
    return <NoInvoices uninvoiced={summary.data?.uninvoiced} />;
  }
  const table = {
    rows,
    dateContext,
    selection: isOutdated ? null : { ids: selectedIds, onChange: select },
    footer: rows && <TableFooter rows={rows} summary={summary.data} search={search} list={list} />,
    isBusy: list.isPlaceholderData,
  };
  return (
    <div className={classes.view}>
      <UnfinishedBatches />
      {isOutdated && (
        <OutdatedNotice onRetry={() => void list.refetch()}>
          <b>We couldn't update your invoices.</b> Showing them as they were at{' '}
          {formatTimeAt(new Date(list.dataUpdatedAt).toISOString(), dateContext)}. You can still
          read and search, but you can't send anything or record payments until we're back.
        </OutdatedNotice>
      )}
      <InvoiceFilters
        search={search}
        counts={summary.data?.counts}
        csvUrl={invoicesCsvUrl(search, dateContext.today)}
        onChange={changeFilter}
        selectButton={
          isPhone &&
          !isOutdated && (
            <Button
              variant="subtle"
              onClick={() => {
                if (isSelecting) select(new Set());
                setIsSelecting(!isSelecting);
              }}
            >
              {isSelecting ? 'Done' : 'Select'}
            </Button>
          )
        }
      />
      {rows?.length === 0 ? (
        <NoMatches onClear={() => changeFilter(NO_FILTERS)} />
      ) : isPhone ? (
        <InvoiceList {...table} isSelecting={isSelecting} />
      ) : (
        <InvoiceTable
          {...table}
          renderMenu={renderMenu}
          sort={{ by, direction }}
          onSort={(sort) => onSearchChange({ ...search, ...toSortParams(sort) })}
        />
      )}
      {!isOutdated && (
        <InvoiceBulkBar
          rows={rows?.filter(({ id }) => selectedIds.has(id)) ?? []}
          csvUrl={invoicesCsvUrl(search, dateContext.today, [...selectedIds])}
          onClear={() => select(new Set())}
        />
      )}
    </div>
  );
}

const NO_FILTERS = { state: undefined, q: undefined, period: undefined };

/** The default order is omitted from the URL. */
const toSortParams = ({
  by,
  direction,
}: {
  by: NonNullable<InvoicesSearch['sort']>;
  direction: 'asc' | 'desc';
}): Pick<InvoicesSearch, 'sort' | 'direction'> => ({
  sort: by === DEFAULT_SORT.by ? undefined : by,
  direction: direction === DEFAULT_SORT.direction ? undefined : direction,
});

interface FooterProps {
  rows: readonly InvoiceListRow[];
  summary: InvoiceSummary | undefined;
  search: InvoicesSearch;
  list: Parameters<typeof ShowMore>[0]['list'];
}

function TableFooter({ rows, summary, search, list }: FooterProps) {
  if (!summary) return <ShowMore list={list} />;
  const count = summary.counts[search.state ?? 'all'];
  const sum = (name: 'total' | 'due' | 'overdue') =>
    formatTotals(summary.totals.map((total) => ({ currency: total.currency, minor: total[name] })));
  const hasOverdue = summary.totals.some(({ overdue }) => overdue > 0);
  return (
    <>
      <span className={classes.count}>
        {rows.length < count ? `${rows.length} of ${count} invoices` : formatCount(count)}
      </span>
      <ShowMore list={list} />
      <span className={classes.sums}>
        <span>
          Total <b>{sum('total')}</b>
        </span>
        <span>
          Due <b>{sum('due')}</b>
        </span>
        {hasOverdue && (
          <span>
            Overdue <b data-overdue>{sum('overdue')}</b>
          </span>
        )}
      </span>
    </>
  );
}

const formatCount = (count: number): string => (count === 1 ? '1 invoice' : `${count} invoices`);

function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <Card>
      <p className={classes.noMatches} role="status">
        No invoices match these filters.{' '}
        <Button variant="subtle" onClick={onClear}>
          Clear filters
        </Button>
      </p>
    </Card>
  );
}

function OutdatedNotice({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <div className={classes.outdated} role="alert">
      <IconCloudOff size={20} stroke={1.8} />
      <p>{children}</p>
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
