import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './PageHeader.module.css';

interface Props {
  title: string;
  /** Deep screens lead back; the label says where to. */
  back?: { link: LinkProps; label: string };
  /** The one action of the page. */
  action?: ReactNode;
}

export function PageHeader({ title, back, action }: Props) {
  usePageTitle(title);
  return (
    <header className={classes.header}>
      {back && (
        <Link {...back.link} className={classes.back} aria-label={back.label}>
          <IconArrowLeft size={22} stroke={1.8} />
        </Link>
      )}
      <h1>{title}</h1>
      {action}
    </header>
  );
}
