import type { ReactNode } from 'react';
import { Mark } from '../../components/Logo.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import classes from './PayPage.module.css';

/** One sheet and nothing around it: no shell, and no component library to wait for. */
export function PayLayout({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      {/* The address is a key: search engines and the pages that are opened from here need not know it. */}
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <main className={classes.sheet}>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className={classes.foot}>
        <Mark size={20} />
        {/* A page of its own: whoever is about to pay keeps this one. */}
        <a href="/" target="_blank" rel="noreferrer">
          What is Lessonbook?
        </a>
      </footer>
    </div>
  );
}
