import type { Contact, ContactAccess, Student } from '@lessonbook/contract/students';
import { ActionIcon, Button } from '@mantine/core';
import { IconMail, IconPencil, IconPhone, IconPlus } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { firstName, formatList, initials } from '../../lib/format.ts';
import { useAddContact, useSetNoteReaders } from './api.ts';
import classes from './StudentOverviewSections.module.css';

const ContactDialog = lazy(async () => ({
  default: (await import('./ContactDialog.tsx')).ContactDialog,
}));

interface Props {
  student: Student;
  /** Hides the message and call buttons, for a narrow column. */
  compact?: boolean;
}

/** The contacts of a student, and what each of them receives and sees in the family portal. */
export function StudentPeople({ student, compact = false }: Props) {
  const [opened, setOpened] = useState(false);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [editedContact, setEditedContact] = useState<Contact | null>(null);

  function open(chosen: Contact | null) {
    setEditedContact(chosen);
    setOpened(true);
  }

  return (
    <section aria-label="People">
      <ul className={classes.people}>
        {student.contacts.map((contact) => (
          <li key={contact.id}>
            <Avatar initials={initials(contact.name)} />
            <p>
              <b>{contact.name}</b>
              <small>{formatContact(contact, student)}</small>
            </p>
            {contact.email && !compact && (
              <ActionIcon
                component="a"
                href={`mailto:${contact.email}`}
                variant="subtle"
                size={44}
                aria-label={`Email ${contact.name}`}
              >
                <IconMail size={20} stroke={1.8} />
              </ActionIcon>
            )}
            {contact.phone && !compact && (
              <ActionIcon
                component="a"
                href={`tel:${contact.phone.replace(/\s/g, '')}`}
                variant="subtle"
                size={44}
                aria-label={`Call ${contact.name}`}
              >
                <IconPhone size={20} stroke={1.8} />
              </ActionIcon>
            )}
            {!(contact.isStudent && contact.isMain) && (
              <ActionIcon
                variant="subtle"
                size={44}
                aria-label={`Edit ${contact.name}`}
                onClick={() => open(contact)}
              >
                <IconPencil size={20} stroke={1.8} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        leftSection={<IconPlus size={18} stroke={1.8} />}
        onClick={() => open(null)}
      >
        Add contact
      </Button>
      <OwnContact student={student} />
      <LazyMount opened={opened}>
        <ContactDialog
          student={student}
          contact={student.contacts.find(({ id }) => id === editedContact?.id) ?? editedContact}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      </LazyMount>
    </section>
  );
}

/** Lets the tutor add the student as a contact, and then share the notes with the student only. */
function OwnContact({ student }: { student: Student }) {
  const add = useAddContact();
  const setReaders = useSetNoteReaders();
  const { id, contacts, notesForStudentOnly } = student;
  const name = firstName(student.name);
  const hasOwnContact = contacts.some(({ isStudent }) => isStudent);
  return (
    <>
      {!hasOwnContact && (
        <Button
          variant="subtle"
          leftSection={<IconPlus size={18} stroke={1.8} />}
          disabled={add.isPending}
          onClick={() =>
            add.mutate({
              params: { id },
              body: { isStudent: true },
              idempotencyKey: crypto.randomUUID(),
            })
          }
        >
          Add {name} as a contact
        </Button>
      )}
      {(hasOwnContact || notesForStudentOnly) && (
        <CheckboxField
          label={`Notes go to ${name} only`}
          hint="For students of 16 or over. Other contacts then see no notes or homework."
          checked={notesForStudentOnly}
          onChange={(studentOnly) => setReaders.mutate({ params: { id }, body: { studentOnly } })}
        />
      )}
    </>
  );
}

/** 'Mother, pays for lessons. Can see lessons, locations, notes and prices' */
function formatContact(contact: Contact, { payers }: Student): string {
  const pays = payers.some(({ contactId }) => contactId === contact.id);
  const role = [contact.isStudent ? 'Student' : contact.relationship, pays && 'pays for lessons'];
  const parts = [role.filter(Boolean).join(', '), formatAccess(contact.access)];
  return parts.filter(Boolean).map(capitalize).join('. ');
}

/** Locations are shown only with lessons. */
function formatAccess({ seesLessons, seesPlace, seesNotes, seesMoney }: ContactAccess): string {
  const parts = [
    seesLessons && 'lessons',
    seesLessons && seesPlace && 'locations',
    seesNotes && 'notes',
    seesMoney && 'prices',
  ];
  const visible = parts.filter((part) => part !== false);
  return visible.length === 0 ? 'no access' : `can see ${formatList(visible)}`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
