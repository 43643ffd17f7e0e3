import type { FamilyDetails } from '@lessonbook/contract/families';
import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { createColumnAmountFormatter } from '../../lib/format.ts';
import { handleRowKeys } from '../../lib/row-keyboard-navigation.ts';
import { familyQuery, LEDGER_PAGE_SIZE } from './api.ts';
import classes from './Ledger.module.css';
import { LedgerLine } from './LedgerLine.tsx';
import { foldReversals } from './ledger-rows.ts';

interface Props {
  family: FamilyDetails;
  today: string;
}

/** All charges and payments, newest first. */
export function Ledger({ family, today }: Props) {
  const { entries, isPending, failed, hasMore, showMore, retry } = useLedgerEntries(family);
  const formatAmount = createColumnAmountFormatter(
    entries.flatMap((entry) => [entry.amount, entry.balance]),
  );
  return (
    <>
      {family.entryCount === 0 && (
        <EmptyState illustration={<Illustration name="pay" size={112} />}>
          Nothing here yet. Lessons appear here once they are marked as complete.
        </EmptyState>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the entries are links */}
      <ul className={classes.lines} onKeyDown={(event) => handleRowKeys(event)}>
        {foldReversals(entries).map((row) => (
          <LedgerLine
            key={row.entry.key}
            row={row}
            today={today}
            formatAmount={formatAmount}
            familyId={family.id}
          />
        ))}
      </ul>
      {isPending && <RowSkeleton rows={3} />}
      {failed && <LoadError onRetry={retry}>We couldn't load the rest.</LoadError>}
      {hasMore && !isPending && !failed && (
        <Button variant="subtle" onClick={showMore}>
          Show more
        </Button>
      )}
    </>
  );
}

/** Loads page by page. All loaded pages are refetched together, so that the running balances stay consistent. */
function useLedgerEntries(family: FamilyDetails) {
  const [pages, setPages] = useState(1);
  const pageQueries = useQueries({
    queries: Array.from({ length: pages }, (_, page) =>
      familyQuery(family.id, page * LEDGER_PAGE_SIZE),
    ),
  });
  const entries = pageQueries.flatMap(({ data }) => data?.entries ?? []);
  const failed = pageQueries.filter((page) => page.isError && !page.data);
  return {
    entries,
    isPending: pageQueries.some((page) => page.isPending && page.isFetching),
    failed: failed.length > 0,
    retry: () => void Promise.all(failed.map((page) => page.refetch())),
    hasMore: entries.length < family.entryCount,
    showMore: () => setPages(pages + 1),
  };
}
