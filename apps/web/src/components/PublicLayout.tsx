import { type ReactNode, useEffect } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import { LogoMark } from './Logo.tsx';
import classes from './PublicLayout.module.css';

/** The layout of pages that families open from a link: a single card, without the shell or the component library. */
export function PublicLayout({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  useDeviceColorScheme();
  return (
    <div className={classes.page}>
      {/* The URL contains a token, so it is kept from search engines and linked pages. */}
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <main className={classes.card}>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className={classes.footer}>
        <LogoMark size={20} />
        {/* Opens in a new tab, so that this page stays open. */}
        <a href="/" target="_blank" rel="noreferrer">
          What is Lessonbook?
        </a>
      </footer>
    </div>
  );
}

/** Families have no theme setting, and the component library, which applies the tutor's, is not loaded. */
export function useDeviceColorScheme(): void {
  useEffect(() => {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () =>
      document.documentElement.setAttribute(
        'data-mantine-color-scheme',
        query.matches ? 'dark' : 'light',
      );
    apply();
    query.addEventListener('change', apply);
    return () => query.removeEventListener('change', apply);
  }, []);
}
