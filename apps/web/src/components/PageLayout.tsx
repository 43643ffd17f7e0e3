import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './PageLayout.module.css';

/** What a long page leads to, in reach whatever its length; above the bottom bar on phones. */
export function StickyActions({ children }: { children: ReactNode }) {
  return (
    <div className={classes.foot} data-sticky-foot>
      {children}
    </div>
  );
}

/** Deep screens keep the phone's column on wide screens: a line of text must not run across the whole desk. */
export function NarrowContainer({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}

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
