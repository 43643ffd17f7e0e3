import type { Dashboard } from '@lessonbook/contract/reports';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { QueryClient } from '@tanstack/react-query';

/* Lists of rows. What a session's own page says about money waits for the server, and so do all amounts. */
const SESSION_LIST_KEYS = [
  ['/api/sessions', 'range'],
  ['/api/sessions', 'by-date'],
];
const DASHBOARD_KEY = ['/api/dashboard'];

/**
 * Sessions are shown as taught before the server has said so: whoever ticks off an evening does not wait for each tick.
 * Gives back how to put everything as it was.
 */
export async function completeOptimistically(
  client: QueryClient,
  ids: readonly number[],
): Promise<() => void> {
  const touched = [...SESSION_LIST_KEYS, DASHBOARD_KEY];
  // An answer that is on its way would put the old state back.
  await Promise.all(touched.map((queryKey) => client.cancelQueries({ queryKey })));
  const before = touched.flatMap((queryKey) => client.getQueriesData({ queryKey }));

  for (const queryKey of SESSION_LIST_KEYS) {
    client.setQueriesData<SessionRow[]>({ queryKey }, (rows) =>
      rows?.map((row) => (ids.includes(row.id) ? { ...row, status: 'completed' } : row)),
    );
  }
  client.setQueryData<Dashboard>(DASHBOARD_KEY, (home) => {
    if (!home) return undefined;
    const incomplete = home.incomplete.filter(({ id }) => !ids.includes(id));
    const ticked = home.incomplete.length - incomplete.length;
    return { ...home, incomplete, incompleteCount: home.incompleteCount - ticked };
  });

  return () => {
    for (const [queryKey, data] of before) client.setQueryData(queryKey, data);
  };
}
