import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './RowWithEditAndDelete.module.css';

interface Props {
  /** Initials or a colour. */
  avatar: ReactNode;
  name: string;
  /** The page of the item. If omitted, pressing the row opens the edit dialog. */
  link?: LinkProps;
  /** An amount or a link, on the right; on phones, below. */
  aside?: ReactNode;
  onEdit: () => void;
  onDelete: () => void;
  children: ReactNode;
}

/** A row that opens the item's page or edit dialog when pressed, except on its other links and buttons. */
export function RowWithEditAndDelete({
  avatar,
  name,
  link,
  aside,
  onEdit,
  onDelete,
  children,
}: Props) {
  return (
    <li className={classes.row}>
      {avatar}
      <div className={classes.text}>
        <div>
          <h2>
            {link ? (
              <Link {...link} className={classes.stretched}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h2>
          {children}
        </div>
        {aside && <p className={classes.aside}>{aside}</p>}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        className={link ? classes.button : classes.stretched}
        aria-label={`Edit ${name}`}
        onClick={onEdit}
      >
        <IconPencil size={20} stroke={1.8} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        className={`${classes.button} ${classes.delete}`}
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      >
        <IconTrash size={20} stroke={1.8} />
      </ActionIcon>
    </li>
  );
}
