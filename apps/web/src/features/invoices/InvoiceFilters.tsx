import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Segments } from '../../components/Segments.tsx';
import classes from './InvoiceFilters.module.css';

export const filters = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'open', label: 'Open' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Paid' },
] as const;
export type Filter = (typeof filters)[number]['value'];

interface Props {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  words: string;
  onWords: (words: string) => void;
}

export function InvoiceFilters({ filter, onFilter, words, onWords }: Props) {
  return (
    <div className={classes.filters}>
      <div className={classes.states}>
        <Segments label="Show" value={filter} options={filters} onChange={onFilter} />
      </div>
      <TextInput
        type="search"
        aria-label="Search invoices"
        placeholder="Number or name"
        leftSection={<IconSearch size={18} stroke={1.8} />}
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
      />
    </div>
  );
}
