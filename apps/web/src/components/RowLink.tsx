import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';
import { rowLink } from './LessonRow.tsx';
import classes from './RowLink.module.css';

interface Props {
  /** 'Details' */
  label: string;
  /** The lesson it is for, so that ten links of a list are not ten times 'Details'. */
  of: string;
  look?: 'subtle' | 'light';
  /** Long words give way to a chevron on phones; the name stays the same. */
  short?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

function Anchor({ label, of, look = 'subtle', short = true, ...anchor }: Props) {
  return (
    <Button
      component="a"
      variant={look}
      className={`${rowLink} ${classes.action}`}
      aria-label={`${label}, ${of}`}
      data-short={short || undefined}
      {...anchor}
    >
      <span className={classes.words}>{label}</span>
      <IconChevronRight size={18} stroke={1.8} className={classes.chevron} />
    </Button>
  );
}

/** The one action of a row. It covers the row, so a tap anywhere on it counts. */
export const RowLink = createLink(Anchor);
