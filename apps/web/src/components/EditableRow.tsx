import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './EditableRow.module.css';

interface Props {
  /** The square in front: initials, a tone. */
  avatar: ReactNode;
  name: string;
  /** An amount, or the way to one: at the right, on phones below. */
  aside?: ReactNode;
  onEdit: () => void;
  onDelete: () => void;
  children: ReactNode;
}

/** One of the people or things in the book. The whole row edits it; only a link beside and the bin do something else. */
export function EditableRow({ avatar, name, aside, onEdit, onDelete, children }: Props) {
  return (
    <li className={classes.row}>
      {avatar}
      <div className={classes.text}>
        <div>
          <h2>{name}</h2>
          {children}
        </div>
        {aside && <p className={classes.aside}>{aside}</p>}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        className={classes.edit}
        aria-label={`Edit ${name}`}
        onClick={onEdit}
      >
        <IconPencil size={20} stroke={1.8} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        className={classes.delete}
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      >
        <IconTrash size={20} stroke={1.8} />
      </ActionIcon>
    </li>
  );
}
