import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { LogoMark } from '../../components/Logo.tsx';
import { NavBadge, NavLink, useIsCurrent, useNavItems } from './NavigationLinksAndBadges.tsx';
import classes from './TopBar.module.css';

export function TopBar({ onSearch }: { onSearch: () => void }) {
  const isCurrent = useIsCurrent();
  return (
    <header className={classes.bar} data-print="hidden">
      <Link to="/" className={classes.brand} aria-label="Lessonbook home">
        <LogoMark size={30} />
      </Link>
      <button type="button" className={classes.icon} aria-label="Search" onClick={onSearch}>
        <IconSearch size={22} stroke={1.8} />
      </button>
      {useNavItems(({ phone }) => phone.includes('header')).map((item) => (
        <NavLink key={item.label} item={item} current={isCurrent(item)} className={classes.icon}>
          <item.Icon size={22} stroke={1.8} />
          <span className={classes.label}>{item.label}</span>
          {item.navigation.badge && (
            <span className={classes.badge}>
              <NavBadge badges={[item.navigation.badge]} />
            </span>
          )}
        </NavLink>
      ))}
    </header>
  );
}
