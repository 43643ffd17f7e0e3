import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './AuthLayout.module.css';
import { HeroIllustration } from './HeroIllustration.tsx';
import { Logo } from './Logo.tsx';

interface Props {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** The way to the neighbouring page, at the foot. */
  foot?: ReactNode;
}

/** Pages outside the book: signing in, links from e-mails. */
export function AuthLayout({ title, lead, children, foot }: Props) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <header>
          <Link to="/" className={classes.brand} aria-label="Lessonbook home">
            <Logo size={32} />
          </Link>
        </header>
        <main className={classes.box}>
          <h1>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
          {children}
        </main>
        {foot && <footer className={classes.foot}>{foot}</footer>}
      </div>
      <div className={classes.art}>
        <HeroIllustration />
      </div>
    </div>
  );
}

/** A way in that stands above the page's form. Its room may be kept before it is known whether it is offered. */
export function AlternativeSignIn({ children, or }: { children?: ReactNode; or: ReactNode }) {
  return (
    <div className={classes.other}>
      {children}
      {children && <p className={classes.or}>{or}</p>}
    </div>
  );
}

/** Words above a form that say why it is asked. */
export function FormIntro({ children }: { children: ReactNode }) {
  return <p className={classes.reason}>{children}</p>;
}

/** Ways on, below a form. */
export function FormLinks({ children }: { children: ReactNode }) {
  return <div className={classes.ways}>{children}</div>;
}
