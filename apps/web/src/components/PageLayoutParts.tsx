import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps, useMatch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './PageLayoutParts.module.css';

/** The main action on a long page, always visible. On phones it is above the bottom navigation. */
export function StickyActions({ children }: { children: ReactNode }) {
  return (
    <div className={classes.footer} data-sticky-footer>
      {children}
    </div>
  );
}

/** Limits the line length on detail pages on wide screens. */
export function NarrowContainer({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}

interface Props {
  /** Defaults to the title of the route. */
  title?: string;
  /** The link back from a detail page. */
  back?: { link: LinkProps; label: string };
  /** The page's main action. */
  action?: ReactNode;
}

export function PageHeader({ title: ownTitle, back, action }: Props) {
  const routeTitle = useMatch({ strict: false, select: ({ staticData }) => staticData.title });
  const title = ownTitle ?? routeTitle ?? '';
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
