import { type ComponentProps, type ReactNode, useEffect } from 'react';
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

interface ButtonProps
  extends Pick<ComponentProps<'button'>, 'type' | 'form' | 'disabled' | 'onClick' | 'children'> {
  /** For a secondary action. */
  secondary?: boolean;
}

export const PublicButton = ({ secondary = false, ...props }: ButtonProps) => (
  <button type="button" className={secondary ? classes.secondary : classes.main} {...props} />
);

interface CheckboxProps {
  label: string;
  description?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const PublicCheckbox = ({ label, description, checked, onChange }: CheckboxProps) => (
  <label className={classes.check}>
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>
      {label}
      {description && <small>{description}</small>}
    </span>
  </label>
);

interface LinkProps extends Pick<ComponentProps<'a'>, 'href' | 'download' | 'children'> {
  /** For the main action. */
  primary?: boolean;
}

/** A link that looks like a button. */
export const PublicLink = ({ children, primary = false, ...props }: LinkProps) => (
  <a className={primary ? classes.main : classes.secondary} {...props}>
    {children}
  </a>
);
