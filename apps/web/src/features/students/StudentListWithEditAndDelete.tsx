import { matchesAllWords } from '@lessonbook/contract/matches-all-words';
import type { Student } from '@lessonbook/contract/students';
import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { RowWithEditAndDelete } from '../../components/RowWithEditAndDelete.tsx';
import { initials } from '../../lib/format.ts';
import { familiesQuery } from '../payments/api.ts';
import { Balances, formatBalances } from '../payments/shared/Balances.tsx';
import classes from './StudentListWithEditAndDelete.module.css';

/** Links to the payer's account and shows the balance of the whole family. */
function AccountLink({ student: { name, familyId, carerName } }: { student: Student }) {
  const { data: families } = useQuery(familiesQuery);
  if (familyId === null) return null;
  const balances = families?.find(({ id }) => id === familyId)?.balances ?? [];
  // Without a carer, the student pays for themselves.
  const balance = { balances, zeroLabel: 'Account', isFamily: carerName !== null };
  return (
    <Link
      to="/families/$id"
      params={{ id: String(familyId) }}
      aria-label={`${formatBalances(balance)}, ${name}`}
    >
      <Balances {...balance} />
    </Link>
  );
}

/** Longer lists have a search field. */
const SEARCH_THRESHOLD = 8;

type Order = 'name' | 'recent';

interface Props {
  students: readonly Student[];
  onEdit: (student: Student) => void;
  onDelete: (student: Student) => void;
}

export function StudentList({ students, onEdit, onDelete }: Props) {
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('name');
  const visibleStudents = sortStudents(
    students.filter((student) => matchesSearch(student, search)),
    order,
  );

  return (
    <>
      {students.length > SEARCH_THRESHOLD && (
        <div className={classes.tools}>
          <TextInput
            aria-label="Search students"
            placeholder="Search students"
            type="search"
            leftSection={<IconSearch size={18} stroke={1.8} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Select
            aria-label="Sort"
            data={[
              { value: 'name', label: 'By name' },
              { value: 'recent', label: 'Recently added' },
            ]}
            value={order}
            onChange={(value) => setOrder(value ?? 'name')}
          />
        </div>
      )}
      {visibleStudents.length === 0 && (
        <p className={classes.none} role="status">
          No results for “{search.trim()}”.
        </p>
      )}
      <ul>
        {visibleStudents.map((student) => (
          <RowWithEditAndDelete
            key={student.id}
            avatar={<Avatar initials={initials(student.name)} />}
            name={student.name}
            link={{ to: '/students/$id', params: { id: String(student.id) } }}
            aside={<AccountLink student={student} />}
            onEdit={() => onEdit(student)}
            onDelete={() => onDelete(student)}
          >
            <p>{student.subject || 'No subject assigned'}</p>
            {student.carerName && <p>{formatCarer(student)}</p>}
          </RowWithEditAndDelete>
        ))}
      </ul>
    </>
  );
}

/** 'Carer: Ruth Hale, Mother' */
const formatCarer = ({ carerName, carerRelationship }: Student): string =>
  `Carer: ${[carerName, carerRelationship].filter(Boolean).join(', ')}`;

/** Searches the student's name, subject and carer. */
const matchesSearch = ({ name, subject, carerName }: Student, search: string): boolean =>
  matchesAllWords(`${name} ${subject ?? ''} ${carerName ?? ''}`, search);

/** The server sorts by name; higher ids were added later. */
const sortStudents = (students: Student[], order: Order): Student[] =>
  order === 'name' ? students : students.toSorted((a, b) => b.id - a.id);
