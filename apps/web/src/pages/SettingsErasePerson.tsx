import type { Person } from '@lessonbook/contract/account-deletion-and-erasure';
import { matchesAllWords } from '@lessonbook/contract/matches-all-words';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { peopleQuery } from '../features/privacy/api.ts';
import classes from '../features/privacy/ErasePeople.module.css';

export function SettingsErasePersonPage() {
  const { person } = useSearch({ from: '/tutor/settings/erase' });
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/your-data' }, label: 'Back to your data' }} />
      <ErasePeople initialPersonKey={person} />
    </NarrowContainer>
  );
}

const ErasePersonModal = lazy(async () => ({
  default: (await import('../features/privacy/ErasePersonModal.tsx')).ErasePersonModal,
}));

const SEARCH_THRESHOLD = 8;

interface Props {
  /** Key of the person whose confirmation dialog opens on mount, such as 'student-7'. */
  initialPersonKey: string | undefined;
}

const keyOf = ({ kind, id }: Person): string => `${kind}-${id}`;

/** All students and carers, including archived ones. Any of them can be erased. */
function ErasePeople({ initialPersonKey }: Props) {
  const people = useQuery(peopleQuery);
  const [search, setSearch] = useState('');
  const [selectedKey, setSelectedKey] = useState<string | null>(initialPersonKey ?? null);
  const all = people.data ?? [];
  const personToErase = all.find((candidate) => keyOf(candidate) === selectedKey) ?? null;
  const visiblePeople = all.filter(({ name, about }) =>
    matchesAllWords(`${name} ${about}`, search),
  );
  return (
    <Card>
      <p className={classes.text}>
        Removes one person's name, contact details, notes and messages everywhere, including from
        issued invoices. Amounts, dates and invoice numbers stay, without a name. This can't be
        undone.
      </p>
      {people.isPending && <RowSkeleton rows={4} />}
      {people.isError && !people.data && (
        <LoadError onRetry={() => void people.refetch()}>
          We couldn't load your students and contacts.
        </LoadError>
      )}
      {people.data?.length === 0 && (
        <EmptyState illustration={<Illustration name="students" size={112} />}>
          You haven't added anyone yet.
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
      {all.length > 0 && visiblePeople.length === 0 && (
        <p className={classes.none} role="status">
          No results for “{search.trim()}”
        </p>
      )}
      <ul>
        {visiblePeople.map((item) => (
          <li key={keyOf(item)} className={classes.row}>
            <span className={classes.person}>
              <b>{item.name}</b>
              <small>
                {item.about}
                {item.isArchived && ' · removed from your lists'}
              </small>
            </span>
            <Button
              variant="subtle"
              color="red"
              aria-label={`Erase ${item.name}`}
              onClick={() => setSelectedKey(keyOf(item))}
            >
              Erase
            </Button>
          </li>
        ))}
      </ul>
      <LazyMount opened={personToErase !== null}>
        <ErasePersonModal person={personToErase} onClose={() => setSelectedKey(null)} />
      </LazyMount>
    </Card>
  );
}
