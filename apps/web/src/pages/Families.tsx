import type { FamilyListItem } from '@lessonbook/contract/families';
import { matchesAllWords } from '@lessonbook/contract/matches-all-words';
import { Button, TextInput } from '@mantine/core';
import { IconFiles, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { FilterPills } from '../components/FilterPills.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { ListWithDetail, useHasRoomForDetail } from '../components/ListWithDetail.tsx';
import { PageHeader, StickyActions } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { familiesQuery } from '../features/payments/api.ts';
import { totalDue } from '../features/payments/describe-family-balances.ts';
import { FamilyRows, FamilyTable, FamilyTableSkeleton } from '../features/payments/FamilyTable.tsx';
import {
  type FamilySort,
  matchesFilter,
  sortFamilies,
} from '../features/payments/filter-and-sort-families.ts';
import { RecordPaymentButton } from '../features/payments/RecordPaymentButton.tsx';
import { formatList } from '../lib/format.ts';
import classes from './Families.module.css';

const FamilyPanel = lazy(async () => ({
  default: (await import('./FamilyPanel.tsx')).FamilyPanel,
}));

type Search = ReturnType<typeof useFamiliesSearch>[0];

/** The filters, the order and the selection are in the URL. */
function useFamiliesSearch() {
  const search = useSearch({ from: '/tutor/families' });
  const navigate = useNavigate({ from: '/families' });
  const update = (change: { [K in keyof typeof search]?: (typeof search)[K] | undefined }) =>
    void navigate({
      to: '/families',
      search: (previous) => ({ ...previous, ...change }) as typeof search,
      replace: true,
      resetScroll: false,
    });
  return [search, update] as const;
}

export function FamiliesPage() {
  const { today } = useTutor();
  const families = useQuery(familiesQuery);
  const [search, update] = useFamiliesSearch();
  const hasRoom = useHasRoomForDetail();
  const { data } = families;
  const isEmpty = data?.length === 0;
  // The field has its own state, so that typing does not wait for the router.
  const [text, setText] = useState(search.q ?? '');
  const searchFor = (next: string) => {
    setText(next);
    update({ q: next.trim() || undefined });
  };
  const clearFilters = () => {
    setText('');
    update({ q: undefined, show: undefined });
  };
  const found = (data ?? []).filter((family) => matchesText(family, text));
  const visible = sortFamilies(
    found.filter((family) => !search.show || matchesFilter(family, search.show)),
    parseSort(search.sort),
  );
  const isListed = visible.some(({ id }) => id === search.selected);
  const selectedId = isListed ? search.selected : visible[0]?.id;
  const searchField = data && !isEmpty && <FamilySearch text={text} onChange={searchFor} />;
  return (
    <>
      <PageHeader action={hasRoom && !isEmpty && <Actions>{searchField}</Actions>} />
      {!data && (
        <ListState isError={families.isError} onRetry={() => void families.refetch()}>
          {hasRoom ? <FamilyTableSkeleton today={today} /> : <RowSkeleton rows={6} />}
        </ListState>
      )}
      {isEmpty && <NoFamilies />}
      {data && !isEmpty && (
        <>
          {!hasRoom && searchField}
          <ListWithDetail
            kind="table"
            list={
              <FamilyList
                found={found}
                visible={visible}
                selectedId={selectedId}
                search={search}
                onChange={update}
                onClear={clearFilters}
              />
            }
            detailLabel="Selected family"
            detail={
              hasRoom &&
              selectedId !== undefined && (
                <Suspense fallback={<RowSkeleton rows={5} />}>
                  <FamilyPanel key={selectedId} familyId={selectedId} />
                </Suspense>
              )
            }
          />
          {!hasRoom && (
            <StickyActions>
              <RecordPaymentButton target={null} variant="filled" fullWidth />
            </StickyActions>
          )}
        </>
      )}
    </>
  );
}

const Actions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>
    {children}
    <ButtonLink
      to="/invoices/everyone"
      variant="default"
      leftSection={<IconFiles size={18} stroke={1.8} />}
    >
      Bulk invoice
    </ButtonLink>
    <RecordPaymentButton target={null} variant="filled" />
  </div>
);

interface FamilySearchProps {
  text: string;
  onChange: (text: string) => void;
}

const FamilySearch = ({ text, onChange }: FamilySearchProps) => (
  <TextInput
    className={classes.search}
    type="search"
    aria-label="Find a family"
    placeholder="Find a family"
    leftSection={<IconSearch size={18} stroke={1.8} />}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

interface FamilyListProps {
  /** The families that match the search text, before filtering. The filters show how many of them they match. */
  found: readonly FamilyListItem[];
  visible: readonly FamilyListItem[];
  selectedId: number | undefined;
  search: Search;
  onChange: (change: { [K in keyof Search]?: Search[K] | undefined }) => void;
  onClear: () => void;
}

function FamilyList({ found, visible, selectedId, search, onChange, onClear }: FamilyListProps) {
  const { today } = useTutor();
  const hasRoom = useHasRoomForDetail();
  const { q, show, sort } = search;
  // Changing the search, filter or order scrolls the list back to the top.
  const filterKey = `${q} ${show} ${sort}`;
  return (
    <div className={classes.stack}>
      <div className={classes.filters}>
        <FilterPills
          label="Show"
          value={show ?? 'all'}
          options={FILTERS.map((option) => ({
            ...option,
            count: countMatches(found, option.value),
          }))}
          onChange={(value) => onChange({ show: value === 'all' ? undefined : value })}
        />
        <Totals families={found} />
      </div>
      {visible.length === 0 ? (
        <p role="status">
          No families match.{' '}
          <Button variant="subtle" onClick={onClear}>
            Clear filters
          </Button>
        </p>
      ) : hasRoom ? (
        <FamilyTable
          key={filterKey}
          families={visible}
          today={today}
          selectedId={selectedId}
          onSelect={(id) => onChange({ selected: id })}
          sort={parseSort(sort)}
          onSort={({ by, direction }) => onChange({ sort: direction === 'desc' ? `-${by}` : by })}
        />
      ) : (
        <Card>
          <FamilyRows key={filterKey} families={visible} today={today} />
        </Card>
      )}
    </div>
  );
}

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'uninvoiced', label: 'Not invoiced' },
  { value: 'credit', label: 'In credit' },
] as const;

const countMatches = (
  families: readonly FamilyListItem[],
  filter: (typeof FILTERS)[number]['value'],
): number =>
  filter === 'all'
    ? families.length
    : families.filter((family) => matchesFilter(family, filter)).length;

/** Searches the names of the payer and the children. */
const matchesText = ({ name, students }: FamilyListItem, text: string): boolean =>
  matchesAllWords([name, ...students].join(' '), text);

function parseSort(sort: Search['sort']): FamilySort | undefined {
  if (!sort) return undefined;
  const isDescending = sort.startsWith('-');
  return {
    by: (isDescending ? sort.slice(1) : sort) as FamilySort['by'],
    direction: isDescending ? 'desc' : 'asc',
  };
}

/** '£593 due in total, £173 overdue' */
function Totals({ families }: { families: readonly FamilyListItem[] }) {
  const { due, overdue } = totalDue(families);
  if (due.length === 0) return <p className={classes.totals}>Nothing due</p>;
  return (
    <p className={classes.totals}>
      {formatList(due)} due in total
      {overdue.length > 0 && (
        <>
          , <b>{formatList(overdue)} overdue</b>
        </>
      )}
    </p>
  );
}

interface ListStateProps {
  isError: boolean;
  onRetry: () => void;
  children: ReactNode;
}

const ListState = ({ isError, onRetry, children }: ListStateProps) =>
  isError ? (
    <Card>
      <LoadError onRetry={onRetry}>
        We couldn't load your families. Your records are safe.
      </LoadError>
    </Card>
  ) : (
    children
  );

function NoFamilies() {
  return (
    <Card>
      <EmptyState
        illustration={<Illustration name="pay" size={150} />}
        title="No families yet"
        action={
          <ButtonLink to="/students" variant="light">
            Go to students
          </ButtonLink>
        }
      >
        Add a student, and the parent or carer who pays will appear here with their balance.
      </EmptyState>
    </Card>
  );
}
