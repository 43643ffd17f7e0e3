import type {
  InvoiceStateFilter,
  InvoiceSummary,
} from '@lessonbook/contract/invoice-list-filters-and-totals';
import { PERIOD_LABELS } from '@lessonbook/contract/report-periods';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FilterPills } from '../../components/FilterPills.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import classes from './InvoiceFilters.module.css';
import type { InvoicePeriodFilter, InvoicesSearch } from './invoice-search-params.ts';

const STATES: { value: 'all' | InvoiceStateFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'sent', label: 'Issued' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Paid' },
];

const PERIODS: InvoicePeriodFilter[] = ['this_month', 'this_tax_year', 'last_tax_year'];

interface Props {
  search: InvoicesSearch;
  counts: InvoiceSummary['counts'] | undefined;
  csvUrl: string;
  onChange: (change: Pick<InvoicesSearch, 'q' | 'state' | 'period'>) => void;
  /** Starts selecting rows on a phone. */
  selectButton: ReactNode;
}

export function InvoiceFilters({ search, counts, csvUrl, onChange, selectButton }: Props) {
  const { state = 'all', period } = search;
  return (
    <div className={classes.filters}>
      <SearchField
        label="Search invoices"
        placeholder="Number, family or amount"
        className={classes.search}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q })}
      />
      <div className={classes.states}>
        <FilterPills
          label="Show"
          value={state}
          options={STATES.map((option) => ({ ...option, count: counts?.[option.value] }))}
          onChange={(value) => onChange({ state: value === 'all' ? undefined : value })}
        />
      </div>
      <span className={classes.period}>
        <select
          aria-label="Issued"
          value={period ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ period: PERIODS.find((candidate) => candidate === value) })
          }
        >
          <option value="">Any date</option>
          {PERIODS.map((value) => (
            <option key={value} value={value}>
              {PERIOD_LABELS[value]}
            </option>
          ))}
        </select>
        <IconChevronDown size={16} stroke={2} />
      </span>
      <span className={classes.space} />
      {selectButton}
      <ActionIcon
        className={classes.export ?? ''}
        component="a"
        href={csvUrl}
        download
        variant="default"
        aria-label="Export these invoices as CSV"
      >
        <IconDownload size={18} stroke={1.8} />
      </ActionIcon>
    </div>
  );
}
