import type { Person } from '@lessonbook/contract/privacy';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { peopleQuery } from './api.ts';
import classes from './ErasePeople.module.css';
import own from './Privacy.module.css';

const ErasePersonModal = lazy(async () => ({
  default: (await import('./ErasePersonModal.tsx')).ErasePersonModal,
}));

const SEARCH_THRESHOLD = 8;

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
  const shown = all.filter(matchesSearch(search));
  return (
    <Card>
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
        <EmptyState drawing={<Illustration name="students" size={112} />}>
          There is nobody in your book.
        </EmptyState>
      )}
      {all.length > SEARCH_THRESHOLD && (
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
      <LazyMount opened={toErase !== null}>
        <ErasePersonModal person={toErase} onClose={() => setChosen(null)} />
      </LazyMount>
    </Card>
  );
}

function matchesSearch(search: string): (person: Person) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, about }) =>
    words.every((word) => `${name} ${about}`.toLowerCase().includes(word));
}
