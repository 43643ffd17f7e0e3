import { Link, type LinkProps } from '@tanstack/react-router';
import classes from './ReportTabs.module.css';

const tabs = {
  earnings: { label: 'Earnings', link: { to: '/reports' } },
  owed: { label: 'Owed', link: { to: '/reports', search: { show: 'owed' } } },
  invoices: { label: 'Invoices', link: { to: '/invoices' } },
} as const satisfies Record<string, { label: string; link: LinkProps }>;

/** Three views of the money. They are links, since each has an address of its own. */
export function ReportTabs({ current }: { current: keyof typeof tabs }) {
  return (
    <nav className={classes.tabs} aria-label="Reports">
      {Object.entries(tabs).map(([name, { label, link }]) => (
        <Link
          key={name}
          {...link}
          className={classes.tab}
          // Else the router would mark 'Earnings' on 'Owed' too, whose address begins the same.
          activeOptions={{ exact: true }}
          aria-current={name === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
