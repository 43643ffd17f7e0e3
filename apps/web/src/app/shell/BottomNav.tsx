import { IconMenu2 } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import classes from './BottomNav.module.css';
import { NavBadge, NavLink, useIsCurrent, useNavItems } from './NavigationLinksAndBadges.tsx';

const MoreMenu = lazy(async () => ({ default: (await import('./MoreMenu.tsx')).MoreMenu }));

/** The main navigation on phones and tablets. */
export function BottomNav() {
  const isCurrent = useIsCurrent();
  const more = useNavItems(({ phone }) => phone.includes('more'));
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const closeMore = () => setIsMoreOpen(false);
  // Settings are also in the header, which highlights them.
  const isMoreCurrent = more.some(
    (item) => !item.navigation.phone.includes('header') && isCurrent(item),
  );
  return (
    <nav className={classes.bar} aria-label="Main" data-print="hidden">
      {useNavItems(({ phone }) => phone.includes('bottom-bar')).map((item) => (
        <NavLink key={item.label} item={item} current={isCurrent(item)} className={classes.item}>
          <span className={classes.pill}>
            <item.Icon size={23} stroke={1.8} />
          </span>
          {item.label}
        </NavLink>
      ))}
      <button
        type="button"
        className={classes.item}
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        aria-current={isMoreCurrent || undefined}
        onClick={() => setIsMoreOpen(true)}
      >
        <span className={classes.pill}>
          <IconMenu2 size={23} stroke={1.8} />
        </span>
        More
        <span className={classes.badge}>
          <NavBadge badges={more.flatMap(({ navigation: { badge } }) => badge ?? [])} />
        </span>
      </button>
      <LazyMount opened={isMoreOpen}>
        <MoreMenu items={more} opened={isMoreOpen} onClose={closeMore} />
      </LazyMount>
    </nav>
  );
}
