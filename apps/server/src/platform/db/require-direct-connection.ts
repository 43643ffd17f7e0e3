import pg from 'pg';

const CONNECTION_TIMEOUT_MS = 4_000;

/**
 * Throws if the connection goes through a pooler, because LISTEN would then fail without an error. A pooler reports a
 * process id of its own; a TCP proxy passes on the server's.
 */
export async function requireDirectConnection(clientConfig: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({
    ...clientConfig,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    // pg's types do not include the process id.
    const { processID } = client as pg.Client & { processID: number | null };
    if (rows[0]?.pid !== processID)
      throw new Error(
        'The queue and LISTEN would go through a pooler: set DATABASE_LISTEN_URL to the direct address of PostgreSQL',
      );
  } finally {
    await client.end();
  }
}
