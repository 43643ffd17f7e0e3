import { Link } from '@tanstack/react-router';
import { Logo } from '../../components/Logo.tsx';
import { paths } from '../paths.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Badge } from './Badge.tsx';
import { NavLink } from './NavLink.tsx';
import { mainItems, type NavItem, sideItems, useIsCurrent } from './nav.ts';
import classes from './Rail.module.css';

export function Rail() {
  return (
    <header className={classes.rail}>
      <Link to={paths.home} className={classes.brand} aria-label="Lessonbook home">
        <Logo size={30} />
      </Link>
      <nav className={classes.items} aria-label="Main">
        <Items of={mainItems} />
      </nav>
      <nav className={classes.items} aria-label="Account">
        <Items of={sideItems} />
      </nav>
      <AccountMenu />
    </header>
  );
}

function Items({ of }: { of: readonly NavItem[] }) {
  const isCurrent = useIsCurrent();
  return of.map((item) => (
    <NavLink key={item.to} item={item} current={isCurrent(item)} className={classes.item}>
      <item.Icon size={20} stroke={1.8} />
      <span className={classes.label}>{item.label}</span>
      {item.to === paths.notifications && <Badge />}
    </NavLink>
  ));
}
