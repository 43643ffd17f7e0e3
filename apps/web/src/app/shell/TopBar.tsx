import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Mark } from '../../components/Logo.tsx';
import { paths } from '../paths.ts';
import { Badge } from './Badge.tsx';
import { NavLink } from './NavLink.tsx';
import { sideItems, useIsCurrent } from './nav.ts';
import classes from './TopBar.module.css';

export function TopBar({ onSearch }: { onSearch: () => void }) {
  const isCurrent = useIsCurrent();
  return (
    <header className={classes.bar}>
      <Link to={paths.home} className={classes.brand} aria-label="Lessonbook home">
        <Mark size={30} />
      </Link>
      <button type="button" className={classes.icon} aria-label="Search" onClick={onSearch}>
        <IconSearch size={22} stroke={1.8} />
      </button>
      {sideItems.map((item) => (
        <NavLink key={item.to} item={item} current={isCurrent(item)} className={classes.icon}>
          <item.Icon size={22} stroke={1.8} />
          <span className={classes.label}>{item.label}</span>
          {item.to === paths.notifications && (
            <span className={classes.badge}>
              <Badge />
            </span>
          )}
        </NavLink>
      ))}
    </header>
  );
}
