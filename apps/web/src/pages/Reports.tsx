import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Family } from '@lessonbook/contract/families';
import {
  chosenRange,
  PERIOD_LABELS,
  PERIODS,
  type Period,
} from '@lessonbook/contract/report-periods';
import type { ReportQuery } from '@lessonbook/contract/reports';
import { ActionIcon, Input } from '@mantine/core';
import {
  IconDotsVertical,
  IconFileTypePdf,
  IconPrinter,
  IconSelector,
  IconTable,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { DropdownMenu } from '../components/DropdownMenu.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LinkRowWithAmount } from '../components/LinkRowWithAmount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import {
  balancesQuery,
  earningsQuery,
  lessonReportQuery,
  toReportQuery,
} from '../features/reports/api.ts';
import { Earnings } from '../features/reports/Earnings.tsx';
import { formatReportDates } from '../features/reports/format-report-figures.ts';
import { LessonFigures } from '../features/reports/LessonFigures.tsx';
import { ReportTabs } from '../features/reports/ReportTabs.tsx';
import {
  createColumnAmountFormatter,
  firstName,
  formatAmount,
  formatList,
  formatShortDate,
  totalsByCurrency,
} from '../lib/format.ts';
import classes from './Reports.module.css';

export function ReportsPage() {
  const { today } = useTutor();
  const search = useSearch({ from: '/tutor/reports' });
  const { show = 'earnings' } = search;
  const query = toReportQuery(search);
  return (
    <>
      <PageHeader action={show !== 'owed' && <ExportMenu show={show} query={query} />} />
      <div className={classes.choices}>
        <ReportTabs current={show} />
        {show !== 'owed' && <PeriodChoice query={query} today={today} />}
      </div>
      {show !== 'owed' && (
        <p className={classes.scope}>
          {formatReportDates(chosenRange(query, today))}
          <FilterNotice show={show} query={query} />
        </p>
      )}
      {show === 'earnings' && <Earnings query={query} today={today} />}
      {show === 'lessons' && <LessonFigures query={query} today={today} />}
      {show === 'owed' && (
        <div className={classes.column}>
          <Outstanding today={today} />
        </div>
      )}
    </>
  );
}

interface ReportProps {
  query: ReportQuery;
  today: string;
}

/* The date picker is loaded only for custom dates. */
const DateRangeFields = lazy(async () => ({
  default: (await import('../components/DateRangeFields.tsx')).DateRangeFields,
}));

function PeriodChoice({ query, today }: ReportProps) {
  const navigate = useNavigate({ from: '/reports' });
  const { from, to } = chosenRange(query, today);
  /** The days as entered, which may not be valid yet. */
  const [entered, setEntered] = useState<{ from: string; to: string } | null>(null);
  const days = entered ?? { from: from ?? addDaysToDate(today, -364), to: to ?? today };
  const choose = (period: Period, range: { from?: string; to?: string } = {}) =>
    void navigate({
      to: '/reports',
      search: ({ period: _period, from: _from, to: _to, ...rest }) => ({
        ...rest,
        ...(period !== 'last_month' && { period }),
        ...(period === 'custom' && range),
      }),
      replace: true,
    });

  function chooseDays(next: typeof days) {
    setEntered(next);
    const isValid = toReportQuery({ period: 'custom', ...next }).period === 'custom';
    if (isValid) choose('custom', next);
  }

  return (
    <>
      {/* A native select, because nine options need no library. */}
      <Input
        component="select"
        aria-label="Period"
        size="md"
        rightSection={<IconSelector size={18} stroke={1.8} />}
        rightSectionPointerEvents="none"
        value={query.period}
        onChange={({ currentTarget: { value } }) => {
          setEntered(null);
          choose(value as Period, days);
        }}
      >
        {PERIODS.map((option) => (
          <option key={option} value={option}>
            {PERIOD_LABELS[option]}
          </option>
        ))}
      </Input>
      {query.period === 'custom' && (
        <div className={classes.days}>
          <Suspense>
            <DateRangeFields days={days} onChange={chooseDays} today={today} />
          </Suspense>
        </div>
      )}
    </>
  );
}

/** The student or subject to which the report is limited, with a link that shows everything again. */
function FilterNotice({ show, query }: { show: 'earnings' | 'lessons'; query: ReportQuery }) {
  const earnings = useQuery({ ...earningsQuery(query), enabled: show === 'earnings' });
  const lessons = useQuery({ ...lessonReportQuery(query), enabled: show === 'lessons' });
  const report = show === 'earnings' ? earnings.data : lessons.data;
  if (query.studentId === undefined && query.subjectId === undefined) return null;
  return (
    <>
      {report?.student && (
        <>
          ,{' '}
          <Link to="/students/$id" params={{ id: String(report.student.id) }}>
            {report.student.name}
          </Link>
        </>
      )}
      {report?.subject && `, ${report.subject.name}`}
      {'. '}
      <Link
        from="/reports"
        to="/reports"
        search={({ student: _student, subject: _subject, ...rest }) => rest}
        data-print="hidden"
      >
        Show everything
      </Link>
    </>
  );
}

const exportParams = ({ period, from, to, studentId, subjectId }: ReportQuery): string =>
  new URLSearchParams({
    period,
    ...(from && { from }),
    ...(to && { to }),
    ...(studentId && { studentId: String(studentId) }),
    ...(subjectId && { subjectId: String(subjectId) }),
  }).toString();

/** Exports the selected period, using plain download links, or prints the page. */
function ExportMenu({ show, query }: { show: 'earnings' | 'lessons'; query: ReportQuery }) {
  const params = exportParams(query);
  return (
    <DropdownMenu
      width={200}
      target={
        <ActionIcon variant="default" size={44} radius="md" aria-label="Export">
          <IconDotsVertical size={20} stroke={1.8} />
        </ActionIcon>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item
            component="a"
            href={`/api/reports/${show}.csv?${params}`}
            download
            leftSection={<IconTable size={18} stroke={1.8} />}
          >
            Export CSV
          </Menu.Item>
          {show === 'earnings' && (
            <Menu.Item
              component="a"
              href={`/api/reports/earnings.pdf?${params}`}
              download
              leftSection={<IconFileTypePdf size={18} stroke={1.8} />}
            >
              Export PDF
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconPrinter size={18} stroke={1.8} />}
            onClick={() => window.print()}
          >
            Print
          </Menu.Item>
        </>
      )}
    </DropdownMenu>
  );
}

/** Families who owe money, oldest debt first. */
function Outstanding({ today }: { today: string }) {
  const balances = useQuery(balancesQuery);
  if (!balances.data) {
    return (
      <Card>
        {balances.isError ? (
          <LoadError onRetry={() => void balances.refetch()}>
            We couldn't load what's owed.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Card>
    );
  }
  const rows = balances.data.flatMap((family) =>
    outstandingBalances(family).map((balance) => ({ family, balance })),
  );
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState illustration={<Illustration name="pay" size={112} />}>
          No one owes you anything.
        </EmptyState>
      </Card>
    );
  }
  const format = createColumnAmountFormatter(rows.map(({ balance }) => balance.owed));
  const sums = totalsByCurrency(
    rows.map(({ balance }) => ({ currency: balance.currency, minor: balance.owed })),
  );
  return (
    <Card>
      <div className={classes.total}>
        <h2>Owed to you</h2>
        {sums.map(({ currency, minor }) => (
          <p key={currency}>{formatAmount(minor, currency, true)}</p>
        ))}
      </div>
      <ul>
        {rows.map(({ family, balance }) => (
          <LinkRowWithAmount
            key={`${family.id} ${balance.currency}`}
            to="/families/$id"
            params={{ id: String(family.id) }}
            name={family.name}
            description={describeFamily(family, today)}
            amount={<span className={classes.owed}>{format(balance.owed, balance.currency)}</span>}
          />
        ))}
      </ul>
    </Card>
  );
}

const outstandingBalances = ({ balances }: Family) => balances.filter(({ owed }) => owed > 0);

/** 'Maya and Leo, since Tue 3 Nov', 'Since Tue 3 Nov', or the transfer reported by the payer. */
function describeFamily({ students, name, oldestDueDate, claim }: Family, today: string): string {
  const text = [
    students.join() !== name && formatList(students.map(firstName)),
    claim
      ? `reported a transfer on ${formatShortDate(claim.claimedOn, today)}`
      : oldestDueDate && `since ${formatShortDate(oldestDueDate, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
