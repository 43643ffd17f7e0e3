import { Link, type LinkProps } from '@tanstack/react-router';
import classes from './ReportTabs.module.css';

const tabs = {
  earnings: { label: 'Earnings', link: { to: '/reports' } },
  owed: { label: 'Owed', link: { to: '/reports', search: { show: 'owed' } } },
  invoices: { label: 'Invoices', link: { to: '/invoices' } },
} as const satisfies Record<string, { label: string; link: LinkProps }>;

/** Tabs as links, because each has its own URL. */
export function ReportTabs({ current }: { current: keyof typeof tabs }) {
  return (
    <nav className={classes.tabs} aria-label="Reports">
      {Object.entries(tabs).map(([name, { label, link }]) => (
        <Link
          key={name}
          {...link}
          className={classes.tab}
          // Without `exact`, 'Earnings' would be active on 'Owed' too, which has the same path.
          activeOptions={{ exact: true }}
          aria-current={name === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
