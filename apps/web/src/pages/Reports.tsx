import { PERIOD_LABELS, PERIODS } from '@lessonbook/contract/periods';
import { Input } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { Earnings } from '../features/reports/Earnings.tsx';
import { ExportMenu } from '../features/reports/ExportMenu.tsx';
import { Outstanding } from '../features/reports/Outstanding.tsx';
import { ReportTabs } from '../features/reports/ReportTabs.tsx';
import classes from './Reports.module.css';

export function ReportsPage() {
  const { today } = useTutor();
  const { show = 'earnings', period: requestedPeriod } = useSearch({ from: '/tutor/reports' });
  const navigate = useNavigate();
  // The URL may contain an unknown period.
  const period = PERIODS.find((candidate) => candidate === requestedPeriod) ?? 'last_month';
  return (
    <>
      <PageHeader action={show === 'earnings' && <ExportMenu period={period} />} />
      <div className={classes.choices}>
        <ReportTabs current={show} />
        {show === 'earnings' && (
          // A native select, because seven options need no library.
          <Input
            component="select"
            aria-label="Period"
            size="md"
            rightSection={<IconSelector size={18} stroke={1.8} />}
            rightSectionPointerEvents="none"
            value={period}
            onChange={({ currentTarget: { value } }) =>
              void navigate({
                to: '/reports',
                search: value === 'last_month' ? {} : { period: value },
                replace: true,
              })
            }
          >
            {PERIODS.map((option) => (
              <option key={option} value={option}>
                {PERIOD_LABELS[option]}
              </option>
            ))}
          </Input>
        )}
      </div>
      {show === 'earnings' ? (
        <Earnings period={period} today={today} />
      ) : (
        <div className={classes.column}>
          <Outstanding today={today} />
        </div>
      )}
    </>
  );
}
