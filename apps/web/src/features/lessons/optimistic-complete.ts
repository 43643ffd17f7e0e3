import type { Dashboard } from '@lessonbook/contract/dashboard';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { QueryClient } from '@tanstack/react-query';

/* Only lists are updated; session details and amounts wait for the server. */
const SESSION_LIST_KEYS = [
  ['/api/sessions', 'range'],
  ['/api/sessions', 'by-date'],
];
const DASHBOARD_KEY = ['/api/dashboard'];

/**
 * Marks sessions as completed in the cache before the server replies, so that completing several in a row is fast.
 * Returns a function that restores the previous state.
 */
export async function completeOptimistically(
  client: QueryClient,
  ids: readonly number[],
): Promise<() => void> {
  const queryKeys = [...SESSION_LIST_KEYS, DASHBOARD_KEY];
  // A pending response would restore the old state.
  await Promise.all(queryKeys.map((queryKey) => client.cancelQueries({ queryKey })));
  const previousData = queryKeys.flatMap((queryKey) => client.getQueriesData({ queryKey }));

  for (const queryKey of SESSION_LIST_KEYS) {
    client.setQueriesData<SessionRow[]>({ queryKey }, (rows) =>
      rows?.map((row) => (ids.includes(row.id) ? { ...row, status: 'completed' } : row)),
    );
  }
  client.setQueryData<Dashboard>(DASHBOARD_KEY, (dashboard) => {
    if (!dashboard) return undefined;
    const incomplete = dashboard.incomplete.filter(({ id }) => !ids.includes(id));
    const completed = dashboard.incomplete.length - incomplete.length;
    return { ...dashboard, incomplete, incompleteCount: dashboard.incompleteCount - completed };
  });

  return () => {
    for (const [queryKey, data] of previousData) client.setQueryData(queryKey, data);
    // The response that was cancelled may have been newer.
    for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey });
  };
}
