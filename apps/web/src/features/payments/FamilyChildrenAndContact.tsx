import type { FamilyDetails } from '@lessonbook/contract/families';
import { ActionIcon } from '@mantine/core';
import { IconMail, IconMessage, IconPhone } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './FamilyMenu.module.css';

export const MessageLink = ({ family: { id, name } }: { family: FamilyDetails }) => (
  <ActionIcon
    variant="default"
    size={44}
    radius="md"
    aria-label={`Message ${name}`}
    renderRoot={(props) => <Link to="/messages/new" search={{ families: String(id) }} {...props} />}
  >
    <IconMessage size={20} stroke={1.8} />
  </ActionIcon>
);

/** The children and the ways to reach the payer. */
export function FamilyContact({ family }: { family: FamilyDetails }) {
  const { name, email, phone } = family;
  return (
    <div className={classes.contact}>
      <p className={classes.children}>
        <FamilyChildren family={family} />
      </p>
      <MessageLink family={family} />
      {email && (
        <ActionIcon
          component="a"
          href={`mailto:${email}`}
          variant="default"
          size={44}
          radius="md"
          aria-label={`Email ${name}`}
        >
          <IconMail size={20} stroke={1.8} />
        </ActionIcon>
      )}
      {phone && (
        <ActionIcon
          component="a"
          href={`tel:${phone.replace(/\s/g, '')}`}
          variant="default"
          size={44}
          radius="md"
          aria-label={`Call ${name}`}
        >
          <IconPhone size={20} stroke={1.8} />
        </ActionIcon>
      )}
    </div>
  );
}

/** 'Maya Hale, Leo Hale', with links to the pages of current students. A student who pays for themselves is not named again. */
export function FamilyChildren({ family: { children, studentId } }: { family: FamilyDetails }) {
  if (children.length === 0) return 'No students';
  return (
    <>
      {children.map(({ id, name, isCurrent }, index) => {
        const label =
          id === studentId && children.length === 1 ? 'Pays for their own lessons' : name;
        return (
          <span key={id}>
            {index > 0 && ', '}
            {isCurrent ? (
              <Link to="/students/$id" params={{ id: String(id) }}>
                {label}
              </Link>
            ) : (
              label
            )}
          </span>
        );
      })}
    </>
  );
}
