import type { FamilyListItem } from '@lessonbook/contract/families';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { DataTable, type DataTableColumn } from '../../components/DataTable.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { selectOnClick } from '../../components/ListWithDetail.tsx';
import {
  firstName,
  formatList,
  formatRelativeDate,
  formatTime,
  initials,
  pluralize,
} from '../../lib/format.ts';
import { handleRowKeys } from '../../lib/row-keyboard-navigation.ts';
import { FamilyBalance } from './FamilyBalance.tsx';
import classes from './FamilyTable.module.css';
import type { FamilySort, FamilySortKey } from './filter-and-sort-families.ts';

/** The number of rows shown at first and added by each press of the button. Rendering thousands at once would be slow. */
const PAGE_SIZE = 50;

function useVisibleRows(families: readonly FamilyListItem[]) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const rows = families.slice(0, limit);
  const footer = (
    <>
      <span>{pluralize(families.length, 'family', 'families')}</span>
      {rows.length < families.length && (
        <span className={classes.more}>
          Showing {rows.length}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => setLimit(limit + PAGE_SIZE)}>
            Show more
          </Button>
        </span>
      )}
    </>
  );
  return { rows, footer };
}

interface ListProps {
  families: readonly FamilyListItem[];
  today: string;
}

/** The families on phones and tablets. */
export function FamilyRows({ families, today }: ListProps) {
  const { rows, footer } = useVisibleRows(families);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows are links */}
      <ul className={classes.rows} onKeyDown={(event) => handleRowKeys(event)}>
        {rows.map((family) => (
          <LinkRowWithAmount
            key={family.id}
            to="/families/$id"
            params={{ id: String(family.id) }}
            name={family.name}
            description={[formatChildren(family), formatNextLesson(family, today)]
              .filter(Boolean)
              .join('. ')}
            amount={<FamilyBalance family={family} today={today} />}
          />
        ))}
      </ul>
      <div className={classes.footer}>{footer}</div>
    </>
  );
}

interface TableProps extends ListProps {
  selectedId: number | undefined;
  onSelect: (id: number) => void;
  sort: FamilySort | undefined;
  onSort: (sort: FamilySort) => void;
}

/** The families on desktops. A click selects a family; Enter opens its page. */
export function FamilyTable({ families, today, selectedId, onSelect, ...sorting }: TableProps) {
  const { rows, footer } = useVisibleRows(families);
  const { sort, onSort } = sorting;
  return (
    <div className={classes.table}>
      <DataTable
        label="Families"
        columns={createColumns(today, onSelect)}
        rows={rows}
        {...(sort && { sort })}
        onSort={onSort}
        currentId={selectedId}
        onCurrentChange={({ id }) => onSelect(id)}
        footer={footer}
      />
    </div>
  );
}

/** The headers above placeholder rows. */
export const FamilyTableSkeleton = ({ today }: { today: string }) => (
  <div className={classes.table}>
    <DataTable label="Families" columns={createColumns(today, () => {})} rows={undefined} />
  </div>
);

const createColumns = (
  today: string,
  onSelect: (id: number) => void,
): DataTableColumn<FamilyListItem, FamilySortKey>[] => [
  {
    key: 'family',
    label: 'Family',
    sortKey: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => (
      <Link
        to="/families/$id"
        params={{ id: String(id) }}
        className={classes.name}
        onClick={(event) => selectOnClick(event, () => onSelect(id))}
      >
        <Avatar initials={initials(name)} />
        <span>{name}</span>
      </Link>
    ),
  },
  { key: 'children', label: 'Children', cell: (family) => <Children family={family} /> },
  {
    key: 'next',
    label: 'Next lesson',
    sortKey: 'next',
    cell: (family) => formatNextLesson(family, today) ?? '',
  },
  {
    key: 'balance',
    label: 'Balance',
    sortKey: 'balance',
    align: 'end',
    cell: (family) => <FamilyBalance family={family} today={today} />,
  },
];

/** The first names, with links to the pages of current students. */
function Children({ family }: { family: FamilyListItem }) {
  const children = family.children.filter(({ name }) => name !== family.name);
  if (children.length === 0) return formatChildren(family);
  return children.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link to="/students/$id" params={{ id: String(id) }}>
        {firstName(name)}
      </Link>
    </span>
  ));
}

/** 'Maya and Leo'; empty for a student who pays for themselves. */
function formatChildren({ name, children, students }: FamilyListItem): string {
  const names = children.length > 0 ? children.map((child) => child.name) : students;
  return formatList(names.filter((child) => child !== name).map(firstName));
}

/** 'Today 16:30' or 'Thu 19 Nov 16:30' */
function formatNextLesson({ nextLesson }: FamilyListItem, today: string): string | null {
  if (!nextLesson) return null;
  const date = formatRelativeDate(nextLesson.date, today);
  return `${date.charAt(0).toUpperCase()}${date.slice(1)} ${formatTime(nextLesson.startTime)}`;
}
