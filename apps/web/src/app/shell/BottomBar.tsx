import classes from './BottomBar.module.css';
import { NavLink } from './NavLink.tsx';
import { mainItems, useIsCurrent } from './nav.ts';

export function BottomBar() {
  const isCurrent = useIsCurrent();
  return (
    <nav className={classes.bar} aria-label="Main">
      {mainItems.map((item) => (
        <NavLink key={item.to} item={item} current={isCurrent(item)} className={classes.item}>
          <span className={classes.pill}>
            <item.Icon size={23} stroke={1.8} />
          </span>
          {item.label}
        </NavLink>
      ))}
    </nav>
  );
}
