import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Logo } from '../../components/Logo.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { NavLink, UnreadBadge, useIsCurrent, useNavItems } from './NavigationItems.tsx';
import classes from './Sidebar.module.css';
import { SHORTCUT } from './use-open-command-palette.ts';

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className={classes.sidebar}>
      <Link to="/" className={classes.brand} aria-label="Lessonbook home">
        <Logo size={30} />
      </Link>
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
      <nav className={classes.items} aria-label="Main">
        <NavItems navigation="main" />
      </nav>
      <nav className={classes.items} aria-label="Account">
        <NavItems navigation="account" />
      </nav>
      <AccountMenu />
    </header>
  );
}

function NavItems({ navigation }: { navigation: 'main' | 'account' }) {
  const isCurrent = useIsCurrent();
  return useNavItems(navigation).map((item) => (
    <NavLink key={item.label} item={item} current={isCurrent(item)} className={classes.item}>
      <item.Icon size={20} stroke={1.8} />
      <span className={classes.label}>{item.label}</span>
      {item.link.to === '/notifications' && <UnreadBadge />}
    </NavLink>
  ));
}
