import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { useTutor } from '../../features/accounts/auth.tsx';
import { initials } from '../../lib/format.ts';
import classes from './AccountMenu.module.css';
import { useWarmUp } from './use-warm-up.ts';

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
  useWarmUp(fetchItems);
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
