import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Logo } from '../../components/Logo.tsx';
import type { NavigationItem } from '../../lib/navigation-item.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { CreateMenu } from './CreateMenu.tsx';
import { NavBadge, NavLink, useIsCurrent, useNavItems } from './NavigationLinksAndBadges.tsx';
import classes from './Sidebar.module.css';
import { SHORTCUT } from './use-command-palette.ts';

interface Props {
  onSearch: () => void;
  onShowShortcuts: () => void;
}

export function Sidebar({ onSearch, onShowShortcuts }: Props) {
  return (
    <header className={classes.sidebar} data-print="hidden">
      <Link to="/" className={classes.brand} aria-label="Lessonbook home">
        <Logo size={30} />
      </Link>
      <div className={classes.actions}>
        <button
          type="button"
          className={classes.search}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onSearch}
        >
          <IconSearch size={17} stroke={2} />
          <span className={classes.label}>Search</span>
          <kbd>{SHORTCUT}</kbd>
        </button>
        <CreateMenu />
      </div>
      <nav className={classes.main} aria-label="Main">
        <NavGroup group="planning" />
        <NavGroup group="people" />
        <NavGroup group="business" />
      </nav>
      <nav aria-label="Account">
        <NavGroup group="account" />
      </nav>
      <AccountMenu onShowShortcuts={onShowShortcuts} />
    </header>
  );
}

function NavGroup({ group }: { group: NavigationItem['group'] }) {
  const isCurrent = useIsCurrent();
  const items = useNavItems((item) => item.group === group);
  return (
    <div className={classes.group}>
      {items.map((item) => (
        <NavLink key={item.label} item={item} current={isCurrent(item)} className={classes.item}>
          <item.Icon size={20} stroke={1.8} />
          <span className={classes.label}>{item.label}</span>
          {item.navigation.badge && <NavBadge badges={[item.navigation.badge]} />}
        </NavLink>
      ))}
    </div>
  );
}
