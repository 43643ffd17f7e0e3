import type { ReactNode } from 'react';
import { Logo } from '../../components/Logo.tsx';
import { PublicButton, useDeviceColorScheme } from '../../components/PublicLayout.tsx';
import { ApiError } from '../../lib/http.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
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

export const PortalLoading = () => (
  <div role="status" aria-label="Loading" className={classes.placeholder} />
);

interface ErrorProps {
  error: Error;
  onRetry: () => void;
}

export function PortalError({ error, onRetry }: ErrorProps) {
  return (
    <>
      <p role="alert">{toErrorText(error)}</p>
      <PublicButton onClick={onRetry}>Try again</PublicButton>
    </>
  );
}

function toErrorText(error: Error): string {
  const status = error instanceof ApiError ? error.status : 500;
  if (status === 429)
    return 'That was too many attempts in a short time. Please wait a minute and try again.';
  return status === 0 ? getErrorMessage(error, {}) : "We couldn't load this. Please try again.";
}
