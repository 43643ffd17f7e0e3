import type { Period } from '@lessonbook/contract/periods';
import type { QueryClient } from '@tanstack/react-query';
import { dashboardQuery } from '../features/dashboard/dashboard-query.ts';
import { paths } from '../lib/paths.ts';

/** The page the user is about to open. */
export interface Destination {
  path: string;
  params: Partial<Record<string, string>>;
  search: Partial<Record<string, unknown>>;
  today: string;
}

type Prefetch = (to: Destination, client: QueryClient) => Promise<unknown>;

const idOf = ({ params }: Destination) => Number(params['id']);
const dateOf = ({ search, today }: Destination) => (search['date'] as string | undefined) ?? today;

/* Imported on demand, because together these modules import thirty files. The pages load them anyway. */
const importAccountsApi = () => import('../features/accounts/api.ts');
const importInvoicesApi = () => import('../features/invoices/api.ts');
const importLessonsApi = () => import('../features/lessons/api.ts');
const importMessagesApi = () => import('../features/messages/api.ts');
const importPaymentsApi = () => import('../features/payments/api.ts');
const importPolicyApi = () => import('../features/lessons/cancellation-policy-api.ts');
const importReportsApi = () => import('../features/reports/api.ts');

const prefetchHome: Prefetch = (_, client) => client.prefetchQuery(dashboardQuery);

const prefetchSettings: Prefetch = async (_, client) => {
  const [{ policyQuery }, { notificationSettingsQuery }] = await Promise.all([
    importPolicyApi(),
    importAccountsApi(),
  ]);
  await Promise.all([
    client.prefetchQuery(policyQuery),
    client.prefetchQuery(notificationSettingsQuery),
  ]);
};

const prefetchSchedule: Prefetch = async (to, client) => {
  if (to.search['view'] === 'students') {
    return client.prefetchQuery((await import('../features/students/api.ts')).studentsQuery);
  }
  if (to.search['view'] === 'subjects') {
    return client.prefetchQuery((await import('../features/subjects/api.ts')).subjectsQuery);
  }
  const { monthQuery } = await import('../features/lessons/use-month-sessions.ts');
  return client.prefetchQuery(monthQuery(dateOf(to)));
};

const prefetchReport: Prefetch = async ({ search }, client) => {
  const { balancesQuery, earningsQuery } = await importReportsApi();
  return search['show'] === 'owed'
    ? client.prefetchQuery(balancesQuery)
    : client.prefetchQuery(earningsQuery((search['period'] as Period) ?? 'last_month'));
};

const prefetchInvoices: Prefetch = async ({ search }, client) => {
  const { INVOICES_PAGE_SIZE, invoicesQuery } = await importInvoicesApi();
  return client.prefetchInfiniteQuery(
    invoicesQuery({
      familyId: search['family'] as number | undefined,
      ...('state' in search && { state: search['state'] as 'draft' }),
      limit: INVOICES_PAGE_SIZE,
    }),
  );
};

const prefetchMessages: Prefetch = async ({ search }, client) => {
  const { messagesQuery, outboxQuery } = await importMessagesApi();
  return search['family'] !== undefined || search['show'] === 'sent'
    ? client.prefetchInfiniteQuery(messagesQuery(search['family'] as number | undefined))
    : client.prefetchQuery(outboxQuery);
};

/** The first query of each page. Pages that refetch on every visit, such as notifications, are omitted. */
const pagePrefetches: Partial<Record<string, Prefetch>> = {
  [paths.home]: prefetchHome,
  [paths.dashboard]: prefetchHome,
  [paths.schedule]: prefetchSchedule,
  [paths.reports]: prefetchReport,
  [paths.sessions]: async (to, client) =>
    client.prefetchQuery((await importLessonsApi()).sessionsByDateQuery(dateOf(to))),
  [paths.sessionDetails]: async (to, client) =>
    client.prefetchQuery((await importLessonsApi()).sessionQuery(idOf(to))),
  [paths.lessonDetails]: async (to, client) =>
    client.prefetchQuery((await importLessonsApi()).lessonQuery(idOf(to))),
  [paths.lessonComplete]: async (_, client) =>
    client.prefetchQuery((await importLessonsApi()).dueSessionsQuery),
  [paths.families]: async (_, client) =>
    client.prefetchQuery((await importPaymentsApi()).familiesQuery),
  [paths.family]: async (to, client) =>
    client.prefetchQuery((await importPaymentsApi()).familyQuery(idOf(to))),
  [paths.invoices]: prefetchInvoices,
  [paths.invoice]: async (to, client) =>
    client.prefetchQuery((await importInvoicesApi()).invoiceQuery(idOf(to))),
  [paths.messages]: prefetchMessages,
  [paths.settings]: prefetchSettings,
  [paths.mobileSettings]: prefetchSettings,
  [paths.paymentMethods]: async (_, client) =>
    client.prefetchQuery((await import('../features/cards/api.ts')).defaultMethodQuery),
  [paths.settingsBusiness]: async (_, client) =>
    client.prefetchQuery((await import('../features/business/api.ts')).businessQuery),
  [paths.settingsTimeOff]: async (_, client) =>
    client.prefetchQuery((await import('../features/lessons/time-off-api.ts')).timeOffQuery),
  [paths.settingsReminders]: async (_, client) =>
    client.prefetchQuery((await import('../features/reminders/api.ts')).remindersQuery),
  [paths.settingsSecurity]: async (_, client) =>
    client.prefetchQuery((await import('../features/accounts/security-api.ts')).securityQuery),
};

/** Skips cached data and ignores errors, which the page shows when it opens. */
export async function prefetchPageData(to: Destination, client: QueryClient): Promise<void> {
  await pagePrefetches[to.path]?.(to, client);
}
