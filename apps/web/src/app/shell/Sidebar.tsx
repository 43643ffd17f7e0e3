import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Logo } from '../../components/Logo.tsx';
import { paths } from '../../lib/paths.ts';
import { AccountMenu } from './AccountMenu.tsx';
import {
  mainItems,
  type NavItem,
  NavLink,
  secondaryItems,
  UnreadBadge,
  useIsCurrent,
} from './NavigationItems.tsx';
import classes from './Sidebar.module.css';
import { SHORTCUT } from './use-open-command-palette.ts';

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className={classes.sidebar}>
      <Link to={paths.home} className={classes.brand} aria-label="Lessonbook home">
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
        <NavItems items={mainItems} />
      </nav>
      <nav className={classes.items} aria-label="Account">
        <NavItems items={secondaryItems} />
      </nav>
      <AccountMenu />
    </header>
  );
}

function NavItems({ items }: { items: readonly NavItem[] }) {
  const isCurrent = useIsCurrent();
  return items.map((item) => (
    <NavLink key={item.to} item={item} current={isCurrent(item)} className={classes.item}>
      <item.Icon size={20} stroke={1.8} />
      <span className={classes.label}>{item.label}</span>
      {item.to === paths.notifications && <UnreadBadge />}
    </NavLink>
  ));
}
