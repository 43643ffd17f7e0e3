import pg from 'pg';
import { ConnectionMonitor, HEARTBEAT_SQL } from './connection-monitor.ts';

/** Longer than any statement of a move takes. */
const QUERY_TIMEOUT_MS = 15 * 60_000;
const HEARTBEAT_INTERVAL_MS = 2_000;
/**
 * Without a heartbeat for this long, the server ends the session. Also works behind a proxy, where TCP keepalives do
 * not help.
 */
const SESSION_TIMEOUTS = '-c idle_session_timeout=10s -c idle_in_transaction_session_timeout=10s';

export interface LongRunningClient {
  readonly db: pg.Client;
  readonly close: () => Promise<void>;
}

/**
 * A connection for a program that keeps locks. If its machine or the network disappears, the server ends the session and
 * releases the locks within seconds, and the program's queries fail instead of waiting.
 */
export async function connectLongRunning(url: string): Promise<LongRunningClient> {
  const monitor = new ConnectionMonitor(url, () => undefined);
  const { clientConfig } = monitor;
  const db = new pg.Client({
    ...clientConfig,
    query_timeout: QUERY_TIMEOUT_MS,
    options: `${clientConfig.options ?? ''} ${SESSION_TIMEOUTS}`,
  });
  // The query in progress rejects; without a listener, a lost connection would end the process first.
  db.on('error', () => undefined);
  try {
    await db.connect();
  } catch (error) {
    await monitor.stop();
    throw error;
  }
  let isWaiting = false;
  const endHeartbeat = (): void => {
    isWaiting = false;
  };
  const timer = setInterval(() => {
    // While a statement runs, only one heartbeat waits for it to end.
    if (isWaiting) return;
    isWaiting = true;
    db.query(HEARTBEAT_SQL).then(endHeartbeat, endHeartbeat);
  }, HEARTBEAT_INTERVAL_MS);
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await db.end().catch(() => undefined);
    await monitor.stop();
  };
  return { db, close };
}
