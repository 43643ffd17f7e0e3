import type { ReactNode } from 'react';
import { Logo } from '../../components/Logo.tsx';
import { useDeviceColorScheme } from '../../components/PublicLayout.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import classes from './PortalLayout.module.css';

interface Props {
  title: string;
  /** By default the logo, for pages without a login. */
  header?: ReactNode;
  children: ReactNode;
}

/** The layout of the family portal: one column, without the shell and the component library. */
export function PortalLayout({ title, header, children }: Props) {
  usePageTitle(title);
  useDeviceColorScheme();
  return (
    <div className={classes.page} data-navigation={header !== undefined || undefined}>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <header className={classes.header}>{header ?? <Logo />}</header>
      <main className={classes.main}>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
    </div>
  );
}
