import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './EditableRow.module.css';

interface Props {
  /** Initials or a colour. */
  avatar: ReactNode;
  name: string;
  /** An amount or a link, on the right; on phones, below. */
  aside?: ReactNode;
  onEdit: () => void;
  onDelete: () => void;
  children: ReactNode;
}

/** A row that opens the edit dialog when clicked, except on its link and delete button. */
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
