import type { Person } from '@lessonbook/contract/own-data';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { Spot } from '../../components/Spot.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { peopleQuery } from './api.ts';
import classes from './ErasePeople.module.css';
import own from './OwnData.module.css';

const EraseSheet = lazy(async () => ({ default: (await import('./EraseSheet.tsx')).EraseSheet }));

const AT_A_GLANCE = 8;

interface Props {
  /** 'student-7': opened with the question about this one. */
  person: string | undefined;
}

const keyOf = ({ kind, id }: Person): string => `${kind}-${id}`;

/** Everybody in the book, also those who left; one of them can be erased. */
export function ErasePeople({ person }: Props) {
  const people = useQuery(peopleQuery);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(person ?? null);
  const all = people.data ?? [];
  const toErase = all.find((each) => keyOf(each) === chosen) ?? null;
  const shown = all.filter(matching(search));
  return (
    <Sheet>
      <p className={own.words}>
        Name, contacts, notes and messages of one person are removed everywhere, on issued invoices
        too. Amounts, dates and invoice numbers stay, without a name. This cannot be undone.
      </p>
      {people.isPending && <RowSkeleton rows={4} />}
      {people.isError && !people.data && (
        <LoadError onRetry={() => void people.refetch()}>
          The people in your book could not be loaded.
        </LoadError>
      )}
      {people.data?.length === 0 && (
        <EmptyState drawing={<Spot name="students" size={112} />}>
          There is nobody in your book.
        </EmptyState>
      )}
      {all.length > AT_A_GLANCE && (
        <TextInput
          className={classes.search ?? ''}
          aria-label="Search people"
          placeholder="Search people"
          type="search"
          leftSection={<IconSearch size={18} stroke={1.8} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {all.length > 0 && shown.length === 0 && (
        <p className={classes.none} role="status">
          Nobody matches “{search.trim()}”.
        </p>
      )}
      <ul>
        {shown.map((each) => (
          <li key={keyOf(each)} className={classes.row}>
            <span className={classes.who}>
              <b>{each.name}</b>
              <small>
                {each.about}
                {each.left && ' · no longer in your lists'}
              </small>
            </span>
            <Button
              variant="subtle"
              color="red"
              aria-label={`Erase ${each.name}`}
              onClick={() => setChosen(keyOf(each))}
            >
              Erase
            </Button>
          </li>
        ))}
      </ul>
      <WhenOpened opened={toErase !== null}>
        <EraseSheet person={toErase} onClose={() => setChosen(null)} />
      </WhenOpened>
    </Sheet>
  );
}

function matching(search: string): (person: Person) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, about }) =>
    words.every((word) => `${name} ${about}`.toLowerCase().includes(word));
}
