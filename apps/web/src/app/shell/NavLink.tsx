import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NavItem } from './nav.ts';

interface Props {
  item: NavItem;
  current: boolean;
  className: string | undefined;
  children?: ReactNode;
}

/** The router alone would highlight by address; ours also knows which deep screens belong to an item. */
export function NavLink({ item, current, className, children }: Props) {
  return (
    <Link
      to={item.to}
      className={className}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
