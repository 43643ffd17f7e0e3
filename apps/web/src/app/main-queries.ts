import type { Period } from '@lessonbook/contract/periods';
import type { QueryClient } from '@tanstack/react-query';
import { notificationSettingsQuery } from '../features/accounts/api.ts';
import { securityQuery } from '../features/accounts/security-api.ts';
import { businessQuery } from '../features/business/api.ts';
import { defaultMethodQuery } from '../features/cards/api.ts';
import { FIRST_INVOICES, invoiceQuery, invoicesQuery } from '../features/invoices/api.ts';
import {
  dueSessionsQuery,
  lessonQuery,
  sessionQuery,
  sessionsByDateQuery,
} from '../features/lessons/api.ts';
import { monthQuery } from '../features/lessons/month-sessions.ts';
import { policyQuery } from '../features/lessons/policy-api.ts';
import { timeOffQuery } from '../features/lessons/time-off-api.ts';
import { messagesQuery, trayQuery } from '../features/messages/api.ts';
import { familiesQuery, familyQuery } from '../features/payments/api.ts';
import { remindersQuery } from '../features/reminders/api.ts';
import { balancesQuery, earningsQuery } from '../features/reports/api.ts';
import { dashboardQuery } from '../features/reports/dashboard-query.ts';
import { studentsQuery } from '../features/students/api.ts';
import { subjectsQuery } from '../features/subjects/api.ts';
import { paths } from './paths.ts';

/** Where somebody is about to go. */
export interface Destination {
  path: string;
  params: Partial<Record<string, string>>;
  search: Partial<Record<string, unknown>>;
  today: string;
}

type Ask = (to: Destination, client: QueryClient) => Promise<unknown> | undefined;

const idOf = ({ params }: Destination) => Number(params['id']);
const dateOf = ({ search, today }: Destination) => (search['date'] as string | undefined) ?? today;

const home: Ask = (_, client) => client.prefetchQuery(dashboardQuery);
const settings: Ask = (_, client) =>
  Promise.all([client.prefetchQuery(policyQuery), client.prefetchQuery(notificationSettingsQuery)]);

/**
 * What each screen shows first. Not there: screens that ask anew each time they are opened, such as the inbox, for which a
 * look ahead would be a look for nothing.
 */
const mainQueries: Partial<Record<string, Ask>> = {
  [paths.home]: home,
  [paths.dashboard]: home,
  [paths.schedule]: (to, client) => {
    if (to.search['view'] === 'students') return client.prefetchQuery(studentsQuery);
    if (to.search['view'] === 'subjects') return client.prefetchQuery(subjectsQuery);
    return client.prefetchQuery(monthQuery(dateOf(to)));
  },
  [paths.reports]: ({ search }, client) =>
    search['show'] === 'owed'
      ? client.prefetchQuery(balancesQuery)
      : client.prefetchQuery(earningsQuery((search['period'] as Period) ?? 'last_month')),
  [paths.sessions]: (to, client) => client.prefetchQuery(sessionsByDateQuery(dateOf(to))),
  [paths.sessionDetails]: (to, client) => client.prefetchQuery(sessionQuery(idOf(to))),
  [paths.lessonDetails]: (to, client) => client.prefetchQuery(lessonQuery(idOf(to))),
  [paths.lessonComplete]: (_, client) => client.prefetchQuery(dueSessionsQuery),
  [paths.families]: (_, client) => client.prefetchQuery(familiesQuery),
  [paths.family]: (to, client) => client.prefetchQuery(familyQuery(idOf(to))),
  [paths.invoices]: ({ search }, client) =>
    client.prefetchInfiniteQuery(
      invoicesQuery({
        familyId: search['family'] as number | undefined,
        ...('state' in search && { state: search['state'] as 'draft' }),
        limit: FIRST_INVOICES,
      }),
    ),
  [paths.invoice]: (to, client) => client.prefetchQuery(invoiceQuery(idOf(to))),
  [paths.messages]: ({ search }, client) =>
    search['family'] !== undefined || search['show'] === 'sent'
      ? client.prefetchInfiniteQuery(messagesQuery(search['family'] as number | undefined))
      : client.prefetchQuery(trayQuery),
  [paths.settings]: settings,
  [paths.mobileSettings]: settings,
  [paths.paymentMethods]: (_, client) => client.prefetchQuery(defaultMethodQuery),
  [paths.settingsBusiness]: (_, client) => client.prefetchQuery(businessQuery),
  [paths.settingsTimeOff]: (_, client) => client.prefetchQuery(timeOffQuery),
  [paths.settingsReminders]: (_, client) => client.prefetchQuery(remindersQuery),
  [paths.settingsSecurity]: (_, client) => client.prefetchQuery(securityQuery),
};

/** Asks for nothing that is at hand, and keeps quiet about a refusal: the screen will say it. */
export async function fetchMainQuery(to: Destination, client: QueryClient): Promise<void> {
  await mainQueries[to.path]?.(to, client);
}
