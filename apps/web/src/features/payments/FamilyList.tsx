import type { Family } from '@lessonbook/contract/families';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { MoneyRow } from '../../components/MoneyRow.tsx';
import { firstName, formatList, shortDate } from '../../lib/format.ts';
import classes from './FamilyList.module.css';
import { Balances } from './shared/Balances.tsx';

/** By the payer or by a child: every word must be there somewhere. */
function matchesSearch(search: string): (family: Family) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, students }) => {
    const text = [name, ...students].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Those who owe first, who has waited longest before all; the others stay by name, as the server sends them. */
const sortByOverdue = (families: readonly Family[]): Family[] =>
  families.toSorted((one, other) => overdueSortKey(one).localeCompare(overdueSortKey(other)));

const NOTHING_DUE = '9999';

const overdueSortKey = ({ balances, oldestDue }: Family): string =>
  balances.some(({ owed }) => owed > 0) ? (oldestDue ?? '0000') : NOTHING_DUE;

/** As many as the eye takes in at once; with more, searching is quicker than looking. */
const SEARCH_THRESHOLD = 8;

interface Props {
  families: readonly Family[];
  today: string;
}

/** Everyone who pays, those who owe first. */
export function FamilyList({ families, today }: Props) {
  const [search, setSearch] = useState('');
  const shown = sortByOverdue(families.filter(matchesSearch(search)));
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
      {shown.length === 0 && (
        <p className={classes.none} role="status">
          No account matches “{search.trim()}”.
        </p>
      )}
      <ul className={classes.list}>
        {shown.map((family) => (
          <MoneyRow
            key={family.id}
            to="/families/$id"
            params={{ id: String(family.id) }}
            who={family.name}
            why={describeFamily(family, today)}
            amount={<Balances balances={family.balances} settled="Nothing owed" />}
          />
        ))}
      </ul>
    </>
  );
}

/** Whose lessons, and since when they wait to be paid. */
function describeFamily({ students, name, oldestDue }: Family, today: string): string {
  const others = students.filter((student) => student !== name);
  return [
    others.length > 0 && formatList(others.map(firstName)),
    oldestDue && `since ${shortDate(oldestDue, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
