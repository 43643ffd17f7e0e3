import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { useTutor } from '../../features/accounts/AuthProvider.tsx';
import { isSavingData } from '../../lib/data-saver.ts';
import { initials } from '../../lib/format.ts';
import classes from './AccountMenu.module.css';

/** Used in browsers without requestIdleCallback. Long enough for the page to have loaded its data. */
const FALLBACK_DELAY_MS = 3_000;

/** Fetches a chunk needed on most visits, once the browser is idle. */
function useIdlePrefetch(load: () => Promise<unknown>) {
  useEffect(() => {
    // If this fails, the error is reported when the menu is opened.
    const prefetch = () => void load().catch(() => {});
    return isSavingData() ? undefined : runWhenIdle(prefetch);
  }, [load]);
}

function runWhenIdle(callback: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, FALLBACK_DELAY_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(callback);
  return () => cancelIdleCallback(handle);
}

const fetchItems = async () => ({
  default: (await import('./AccountMenuItems.tsx')).AccountMenuItems,
});
const AccountMenuItems = lazy(fetchItems);

/**
 * The menu is larger than the shell, so it is loaded later, together with the positioning code that selects and
 * calendars also need.
 */
export function AccountMenu({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const [requested, setRequested] = useState(false);
  useIdlePrefetch(fetchItems);
  const placeholder = (
    <AccountCard aria-haspopup="menu" aria-expanded={false} onClick={() => setRequested(true)} />
  );
  if (!requested) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <AccountMenuItems card={<AccountCard />} onShowShortcuts={onShowShortcuts} />
    </Suspense>
  );
}

/** The tutor's name at the bottom of the sidebar. */
function AccountCard(props: ComponentProps<'button'>) {
  const tutor = useTutor();
  const name = tutor.name || 'User';
  return (
    <UnstyledButton {...props} className={classes.card}>
      <Avatar initials={initials(name)} />
      <span className={classes.text}>
        <b>{name}</b>
        <small>{tutor.email}</small>
      </span>
      <VisuallyHidden>, account menu</VisuallyHidden>
    </UnstyledButton>
  );
}
