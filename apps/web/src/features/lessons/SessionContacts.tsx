import type { Session } from '@lessonbook/contract/sessions';
import type { Contact, Student } from '@lessonbook/contract/students';
import { ActionIcon } from '@mantine/core';
import { IconChevronRight, IconMail, IconMessage, IconPhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Avatar } from '../../components/Avatar.tsx';
import { Card } from '../../components/Card.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { initials } from '../../lib/format.ts';
import { sessionStudentsQuery } from './api.ts';
import classes from './SessionContacts.module.css';

/** The students of a lesson and their contacts. */
export function SessionContacts({ session }: { session: Session }) {
  const { data, isPending, isError, refetch } = useQuery(sessionStudentsQuery(session.id));
  return (
    <Card heading="People">
      {isPending && <RowSkeleton rows={2} />}
      {isError && !data && (
        <LoadError onRetry={() => void refetch()}>We couldn't load the contacts.</LoadError>
      )}
      {data && (
        <ul className={classes.list}>
          {session.students.map((seat) => (
            <StudentRows
              key={seat.studentId}
              name={seat.name}
              student={data.find(({ id }) => id === seat.studentId)}
              isCancelled={seat.state === 'cancelled' && session.status === 'scheduled'}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface StudentRowsProps {
  name: string;
  /** Undefined if the student was deleted. */
  student: Student | undefined;
  isCancelled: boolean;
}

function StudentRows({ name, student, isCancelled }: StudentRowsProps) {
  const role = [student?.schoolYear, 'student', isCancelled && 'cancelled'];
  return (
    <>
      <li className={classes.person}>
        <Avatar initials={initials(name)} />
        <p>
          {student ? (
            <Link
              to="/students/$id"
              params={{ id: String(student.id) }}
              className={classes.student}
            >
              {name}
            </Link>
          ) : (
            <b>{name}</b>
          )}
          <small>{capitalize(role.filter(Boolean).join(', '))}</small>
        </p>
        {student && <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />}
      </li>
      {student?.contacts
        .filter(({ isStudent }) => !isStudent)
        .map((contact) => (
          <ContactRow key={contact.id} contact={contact} student={student} />
        ))}
    </>
  );
}

function ContactRow({ contact, student }: { contact: Contact; student: Student }) {
  const { name, email, phone } = contact;
  const { payers } = student;
  const from = payers.at(-1)?.from;
  const payer = payers.find((each) => each.from === from && each.contactId === contact.id);
  const role = [
    contact.relationship,
    contact.isMain && 'main contact',
    payer && 'pays for lessons',
  ];
  return (
    <li className={classes.person}>
      <Avatar initials={initials(name)} />
      <p>
        <b>{name}</b>
        <small>{capitalize(role.filter(Boolean).join(', ') || 'contact')}</small>
      </p>
      {payer ? (
        <ActionIcon
          {...buttonProps}
          renderRoot={(props) => (
            <Link to="/messages/new" search={{ families: String(payer.familyId) }} {...props} />
          )}
          aria-label={`Message ${name}`}
        >
          <IconMessage size={19} stroke={1.8} />
        </ActionIcon>
      ) : (
        email && (
          <ActionIcon
            {...buttonProps}
            component="a"
            href={`mailto:${email}`}
            aria-label={`Email ${name}`}
          >
            <IconMail size={19} stroke={1.8} />
          </ActionIcon>
        )
      )}
      {phone && (
        <ActionIcon
          {...buttonProps}
          component="a"
          href={`tel:${phone.replace(/[^\d+]/g, '')}`}
          aria-label={`Call ${name}`}
        >
          <IconPhone size={19} stroke={1.8} />
        </ActionIcon>
      )}
    </li>
  );
}

const buttonProps = { variant: 'light', size: 44, radius: 'md' } as const;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
