import { lazy, type ReactNode, Suspense } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './AuthLayout.module.css';
import { Logo } from './Logo.tsx';

// Only decorates wide screens, so it is not part of the first load.
const HeroIllustration = lazy(async () => ({
  default: (await import('./HeroIllustration.tsx')).HeroIllustration,
}));

interface Props {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** A link to the other auth page. */
  footer?: ReactNode;
}

/** For pages outside the app: login, signup and links from emails. */
export function AuthLayout({ title, lead, children, footer }: Props) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <header>
          {/* The landing page is a document of its own. */}
          <a href="/" className={classes.brand} aria-label="Lessonbook home">
            <Logo size={32} />
          </a>
        </header>
        <main className={classes.box}>
          <h1>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
          {children}
        </main>
        {footer && <footer className={classes.footer}>{footer}</footer>}
      </div>
      <div className={classes.illustration}>
        <Suspense>
          <HeroIllustration />
        </Suspense>
      </div>
    </div>
  );
}
