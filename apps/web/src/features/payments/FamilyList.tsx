import type { Family } from '@lessonbook/contract/families';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Balances } from '../../components/Balances.tsx';
import { MoneyRow } from '../../components/MoneyRow.tsx';
import { firstName, shortDate } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import classes from './FamilyList.module.css';
import { inOrder, matching } from './family-search.ts';

/** As many as the eye takes in at once; with more, searching is quicker than looking. */
const AT_A_GLANCE = 8;

interface Props {
  families: readonly Family[];
  today: string;
}

/** Everyone who pays, those who owe first. */
export function FamilyList({ families, today }: Props) {
  const [search, setSearch] = useState('');
  const shown = inOrder(families.filter(matching(search)));
  return (
    <>
      {families.length > AT_A_GLANCE && (
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
            why={whyOf(family, today)}
            amount={<Balances balances={family.balances} settled="Nothing owed" />}
          />
        ))}
      </ul>
    </>
  );
}

/** Whose lessons, and since when they wait to be paid. */
function whyOf({ students, name, oldestDue }: Family, today: string): string {
  const others = students.filter((student) => student !== name);
  return [
    others.length > 0 && namesInWords(others.map(firstName)),
    oldestDue && `since ${shortDate(oldestDue, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
