import { Link } from '@tanstack/react-router';
import classes from './ReportTabs.module.css';

const tabs = { earnings: 'Earnings', owed: 'Owed', lessons: 'Lessons' } as const;
type Tab = keyof typeof tabs;

/** Tabs as links, because each has its own URL. Switching tabs keeps the period. */
export function ReportTabs({ current }: { current: Tab }) {
  return (
    <nav className={classes.tabs} aria-label="Reports">
      {(Object.keys(tabs) as Tab[]).map((tab) => (
        <Link
          key={tab}
          from="/reports"
          to="/reports"
          search={({ show: _show, ...rest }) => ({
            ...rest,
            ...(tab !== 'earnings' && { show: tab }),
          })}
          className={classes.tab}
          // Without `exact`, 'Earnings' would also be active on the other tabs, which have the same path.
          activeOptions={{ exact: true }}
          aria-current={tab === current ? 'page' : undefined}
        >
          {tabs[tab]}
        </Link>
      ))}
    </nav>
  );
}
