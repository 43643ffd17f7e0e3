import type { Student } from '@lessonbook/contract/students';
import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { CardRow } from '../../components/CardRow.tsx';
import { initials } from '../../lib/format.ts';
import classes from './StudentList.module.css';
import { ToAccount } from './ToAccount.tsx';

/** As many as the eye takes in at once; with more, searching is quicker than looking. */
const AT_A_GLANCE = 8;

type Order = 'name' | 'recent';

interface Props {
  students: readonly Student[];
  onEdit: (student: Student) => void;
  onDelete: (student: Student) => void;
}

export function StudentList({ students, onEdit, onDelete }: Props) {
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('name');
  const shown = inOrder(students.filter(matching(search)), order);

  return (
    <>
      {students.length > AT_A_GLANCE && (
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
      {shown.length === 0 && (
        <p className={classes.none} role="status">
          No student matches “{search.trim()}”.
        </p>
      )}
      <ul>
        {shown.map((student) => (
          <CardRow
            key={student.id}
            square={<Avatar letters={initials(student.name)} />}
            name={student.name}
            aside={<ToAccount student={student} />}
            onEdit={() => onEdit(student)}
            onDelete={() => onDelete(student)}
          >
            <p>{student.subject || 'No subject assigned'}</p>
            {student.carerName && <p>{carerLine(student)}</p>}
          </CardRow>
        ))}
      </ul>
    </>
  );
}

/** 'Carer: Ruth Hale, Mother' */
const carerLine = ({ carerName, carerRelationship }: Student): string =>
  `Carer: ${[carerName, carerRelationship].filter(Boolean).join(', ')}`;

/** Families are often looked for by the carer's name. */
function matching(search: string): (student: Student) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, subject, carerName }) => {
    const text = `${name} ${subject ?? ''} ${carerName ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** The server sends them by name; ids are given in turn. */
const inOrder = (students: Student[], order: Order): Student[] =>
  order === 'name' ? students : students.toSorted((one, other) => other.id - one.id);
