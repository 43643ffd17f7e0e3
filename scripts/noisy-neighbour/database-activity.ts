import pg from 'pg';

const INTERVAL_MS = 50;
const SHOWN_STATEMENTS = 3;
const SHOWN_LENGTH = 140;

/** Samples which statements the application is running, to show where the time of a failed case went. */
export function watchStatements(adminUrl: string): { stop: () => Promise<string[]> } {
  const client = new pg.Client(adminUrl);
  const counts = new Map<string, number>();
  const stopController = new AbortController();
  let rounds = 0;
  async function watch(): Promise<void> {
    await client.connect();
    while (!stopController.signal.aborted) {
      const { rows } = await client.query<{ query: string; waits: string | null }>(
        `select query, case when wait_event_type = 'Lock' then 'waits for a lock: ' end as waits from pg_stat_activity
         where usename = 'lessonbook_app' and state = 'active' and backend_type = 'client backend'`,
      );
      rounds += 1;
      for (const { query, waits } of rows) {
        const text = `${waits ?? ''}${query.replaceAll(/\s+/g, ' ').slice(0, SHOWN_LENGTH)}`;
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    }
    await client.end();
  }
  const watching = watch();
  return {
    stop: async () => {
      stopController.abort();
      await watching;
      return [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, SHOWN_STATEMENTS)
        .map(([text, count]) => `${(count / Math.max(rounds, 1)).toFixed(1)} × ${text}`);
    },
  };
}
