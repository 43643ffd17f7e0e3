import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { useTutor } from '../../features/accounts/auth.tsx';
import { initials } from '../../lib/format.ts';
import { isSavingData } from '../../lib/network-status.ts';
import classes from './AccountMenu.module.css';

/** For browsers that do not tell when they are idle: long after a screen has its data. */
const FALLBACK_DELAY_MS = 3_000;

/** Fetches what most visits need sooner or later, once the browser has nothing better to do. */
function useIdlePrefetch(fetch: () => Promise<unknown>) {
  useEffect(() => {
    // Whoever opens it for real is told when it does not come.
    const warmUp = () => void fetch().catch(() => {});
    return isSavingData() ? undefined : whenIdle(warmUp);
  }, [fetch]);
}

function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, FALLBACK_DELAY_MS);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(act);
  return () => cancelIdleCallback(waiting);
}

const fetchItems = async () => ({
  default: (await import('./AccountMenuItems.tsx')).AccountMenuItems,
});
const AccountMenuItems = lazy(fetchItems);

/**
 * A menu weighs more than the shell around it, so it comes later; and with it what lists of choices and calendars need to
 * find their place.
 */
export function AccountMenu() {
  const [wanted, setWanted] = useState(false);
  useIdlePrefetch(fetchItems);
  const waiting = (
    <AccountCard aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)} />
  );
  if (!wanted) return waiting;
  return (
    <Suspense fallback={waiting}>
      <AccountMenuItems card={AccountCard} />
    </Suspense>
  );
}

/** The tutor's name at the foot of the rail. */
function AccountCard(props: ComponentProps<'button'>) {
  const tutor = useTutor();
  const name = tutor.name || 'User';
  return (
    <UnstyledButton {...props} className={classes.card}>
      <Avatar letters={initials(name)} />
      <span className={classes.text}>
        <b>{name}</b>
        <small>{tutor.email}</small>
      </span>
      <VisuallyHidden>, account menu</VisuallyHidden>
    </UnstyledButton>
  );
}
