import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Gauge } from 'prom-client';
import { DatabaseUnreachableError } from './database-unavailable-errors.ts';

const reachableGauge = new Gauge({
  name: 'lessonbook_db_reachable',
  help: '1 if the database answers the heartbeat, 0 if not',
  labelNames: ['address'],
});

/** The variable that holds the address; both are monitored if they differ. */
type DatabaseAddress = 'DATABASE_URL' | 'DATABASE_LISTEN_URL';

export const HEARTBEAT_SQL = 'select 1';
const HEARTBEAT_INTERVAL_MS = 1_000;
/** Between attempts while the database is unreachable. */
const RETRY_INTERVAL_MS = 250;
const HEARTBEAT_TIMEOUT_MS = 2_000;
const TICK_MS = 100;
/** Longer than statement_timeout, so the connection is dead if this expires. */
const QUERY_TIMEOUT_MS = 60_000;

/** If a client disappears, the server closes its connection within seconds and releases its locks. */
const SERVER_OPTIONS = [
  '-c tcp_keepalives_idle=1',
  '-c tcp_keepalives_interval=1',
  '-c tcp_keepalives_count=4',
  '-c tcp_user_timeout=5s',
  '-c client_connection_check_interval=1s',
].join(' ');

/** The server is starting or stopping: it responds, but cannot be used. */
const NOT_READY_CODES = new Set(['57P01', '57P02', '57P03']);

/**
 * Detects that the database has become unreachable without closing its connections, such as after a network failure. A
 * heartbeat runs on its own connection. If it fails, all sockets are destroyed, so that waiting queries fail immediately.
 * New queries fail immediately too, until the heartbeat succeeds.
 */
export class ConnectionMonitor {
  /** For all clients and pools of this process that use the address. */
  readonly clientConfig: pg.ClientConfig;
  readonly #sockets = new Set<Socket>();
  readonly #onChange: (failure: Error | null) => void;
  readonly #address: DatabaseAddress;
  readonly #stopping = new AbortController();
  #heartbeats: Promise<void> | undefined;
  #heartbeatClient: pg.Client | undefined;
  /** Why the database is unreachable; null while it is reachable. */
  #failure: Error | null = null;

  constructor(
    url: string,
    onChange: (failure: Error | null) => void,
    address: DatabaseAddress = 'DATABASE_URL',
  ) {
    this.#onChange = onChange;
    this.#address = address;
    this.clientConfig = {
      connectionString: url,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      options: SERVER_OPTIONS,
      stream: () => this.#createSocket(),
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#heartbeats;
    await this.#heartbeatClient?.end().catch(() => undefined);
  }

  #createSocket(): Socket {
    this.#heartbeats ??= this.#runHeartbeats();
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const failure = this.#failure;
    // pg adds its error listener when it connects, which is in the same tick.
    if (failure) process.nextTick(() => socket.destroy(new DatabaseUnreachableError(failure)));
    return socket;
  }

  async #runHeartbeats(): Promise<void> {
    reachableGauge.set({ address: this.#address }, 1);
    while (!this.#stopping.signal.aborted) {
      this.#setFailure(await this.#heartbeat());
      const pause = this.#failure ? RETRY_INTERVAL_MS : HEARTBEAT_INTERVAL_MS;
      await sleep(pause, undefined, { signal: this.#stopping.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** Returns the failure if the database is unreachable. */
  async #heartbeat(): Promise<Error | null> {
    try {
      await withTickTimeout(this.#queryOrReconnect(), HEARTBEAT_TIMEOUT_MS);
      return null;
    } catch (error) {
      const client = this.#heartbeatClient;
      this.#heartbeatClient = undefined;
      client?.connection.stream.destroy();
      const hasResponded =
        error instanceof pg.DatabaseError && !NOT_READY_CODES.has(error.code ?? '');
      return hasResponded ? null : (error as Error);
    }
  }

  async #queryOrReconnect(): Promise<void> {
    const client = this.#heartbeatClient;
    // The server may have closed only this connection, so try a new one.
    if (client && (await client.query(HEARTBEAT_SQL).then(isDone, isFailed))) return;
    if (this.#heartbeatClient !== client) throw new Error('The heartbeat was abandoned');
    const newClient = new pg.Client({
      connectionString: this.clientConfig.connectionString,
      options: SERVER_OPTIONS,
      application_name: 'lessonbook heartbeat',
    });
    newClient.on('error', () => undefined);
    this.#heartbeatClient = newClient;
    await newClient.connect();
    await newClient.query(HEARTBEAT_SQL);
  }

  #setFailure(failure: Error | null): void {
    const changed = (failure === null) !== (this.#failure === null);
    this.#failure = failure;
    if (!changed || this.#stopping.signal.aborted) return;
    reachableGauge.set({ address: this.#address }, failure ? 0 : 1);
    this.#onChange(failure);
    if (failure) for (const socket of this.#sockets) destroySocket(socket, failure);
  }
}

const isDone = () => true;
const isFailed = () => false;

/** A reset leaves nothing to retransmit: the server's next keepalive is refused, and it releases the locks. */
function destroySocket(socket: Socket, failure: Error): void {
  const isConnectedTcp = !socket.connecting && socket.remoteAddress !== undefined;
  if (isConnectedTcp) socket.resetAndDestroy();
  else socket.destroy(new DatabaseUnreachableError(failure));
}

/** Counts ticks instead of time, so that a blocked event loop does not look like a missing response. */
async function withTickTimeout(work: Promise<void>, ms: number): Promise<void> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks * TICK_MS >= ms) reject(new Error(`The database did not respond within ${ms} ms`));
  }, TICK_MS).unref();
  try {
    await Promise.race([work, expired]);
  } finally {
    clearInterval(timer);
  }
}
