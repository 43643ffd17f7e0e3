import type { Family } from '@lessonbook/contract/families';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { firstName, formatList, formatShortDate } from '../../lib/format.ts';
import { matchesAllWords } from '../../lib/normalize-text.ts';
import classes from './FamilyList.module.css';
import { Balances } from './shared/Balances.tsx';

/** Searches the names of the payer and the children. */
const matchesSearch = ({ name, students }: Family, search: string): boolean =>
  matchesAllWords([name, ...students].join(' '), search);

/** Families who owe money come first, oldest debt first. The others keep the server's order by name. */
const sortByOverdue = (families: readonly Family[]): Family[] =>
  families.toSorted((a, b) => overdueSortKey(a).localeCompare(overdueSortKey(b)));

const NOTHING_DUE = '9999';

const overdueSortKey = ({ balances, oldestDueDate }: Family): string =>
  balances.some(({ owed }) => owed > 0) ? (oldestDueDate ?? '0000') : NOTHING_DUE;

/** Longer lists have a search field. */
const SEARCH_THRESHOLD = 8;

interface Props {
  families: readonly Family[];
  today: string;
}

export function FamilyList({ families, today }: Props) {
  const [search, setSearch] = useState('');
  const visibleFamilies = sortByOverdue(families.filter((family) => matchesSearch(family, search)));
  return (
    <>
      {families.length > SEARCH_THRESHOLD && (
        <TextInput
          className={classes.search}
          aria-label="Search accounts"
          placeholder="Search accounts"
          type="search"
          leftSection={<IconSearch size={18} stroke={1.8} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {visibleFamilies.length === 0 && (
        <p className={classes.none} role="status">
          No account matches “{search.trim()}”.
        </p>
      )}
      <ul className={classes.list}>
        {visibleFamilies.map((family) => (
          <LinkRowWithAmount
            key={family.id}
            to="/families/$id"
            params={{ id: String(family.id) }}
            name={family.name}
            description={describeFamily(family, today)}
            amount={<Balances balances={family.balances} zeroLabel="Nothing owed" />}
          />
        ))}
      </ul>
    </>
  );
}

/** 'Maya and Leo, since Tue 3 Nov' */
function describeFamily({ students, name, oldestDueDate }: Family, today: string): string {
  const others = students.filter((student) => student !== name);
  return [
    others.length > 0 && formatList(others.map(firstName)),
    oldestDueDate && `since ${formatShortDate(oldestDueDate, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
