import type { PortalTutor } from '@lessonbook/contract/portal';
import { portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, isNotFound } from '../../lib/http.ts';
import { PortalHeader, type PortalNavigation } from './PortalHeader.tsx';
import { PortalLayout } from './PortalLayout.tsx';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import { portalMoneyKey } from './signed-in-contact-api.ts';

interface Props {
  tutor: PortalTutor;
  navigation: PortalNavigation;
}

const portalMoneyQuery = (publicId: string) =>
  queryOptions({
    queryKey: portalMoneyKey(publicId),
    queryFn: () => callApi(portalMoney.portalMoney, { params: { publicId } }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/** Loaded when the page is opened. A query, so that a failed load can be retried. */
const accountsQuery = queryOptions({
  queryKey: ['portal-accounts'],
  queryFn: async () => (await import('./PortalBalances.tsx')).PortalBalances,
});

export function MoneyPage({ tutor: { publicId, tutorName }, navigation }: Props) {
  const money = useQuery(portalMoneyQuery(publicId));
  const accounts = useQuery(accountsQuery);
  const failed = [money, accounts].find(({ error, data }) => error && !data);
  const Accounts = accounts.data;
  return (
    <PortalLayout title="Money" header={<PortalHeader {...navigation} />}>
      {money.data && Accounts && !isNotFound(money.error) && (
        <Accounts money={money.data} publicId={publicId} />
      )}
      {isNotFound(money.error) && (
        <p role="alert">
          {tutorName} no longer shares this with you here. If you think that's a mistake, ask{' '}
          {tutorName}.
        </p>
      )}
      {failed?.error && !isNotFound(money.error) && (
        <PortalError error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {!failed && !(money.data && Accounts) && <PortalLoading />}
    </PortalLayout>
  );
}
