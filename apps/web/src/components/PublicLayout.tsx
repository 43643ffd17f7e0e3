import type { ComponentProps, ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import { LogoMark } from './Logo.tsx';
import classes from './PublicLayout.module.css';

/** What a family sees behind a link: one sheet, no shell, and no component library to wait for. */
export function PublicLayout({ title, children }: { title: string; children: ReactNode }) {
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
        <LogoMark size={20} />
        {/* A page of its own: whoever came by a link keeps this one. */}
        <a href="/" target="_blank" rel="noreferrer">
          What is Lessonbook?
        </a>
      </footer>
    </div>
  );
}

interface ButtonProps extends Pick<ComponentProps<'button'>, 'disabled' | 'onClick' | 'children'> {
  /** Something else is the main thing to do. */
  quiet?: boolean;
}

/** The one thing to do there; and what else can be done. */
export const PublicButton = ({ quiet = false, ...props }: ButtonProps) => (
  <button type="button" className={quiet ? classes.quiet : classes.main} {...props} />
);

/** As quiet, for what the browser fetches by itself. */
export const PublicLink = ({
  children,
  ...props
}: Pick<ComponentProps<'a'>, 'href' | 'download' | 'children'>) => (
  <a className={classes.quiet} {...props}>
    {children}
  </a>
);
