import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral port range: otherwise an outgoing connection could take the port before we listen on it. */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;
const MAX_TRIES = 50;

/** A port that is currently free. It is not reserved. */
export async function findFreePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryPort(randomInt(MIN_PORT, MAX_PORT));
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

/** The preferred port, or a free one if the preferred port is in use. */
export async function findPreferredOrFreePort(preferred: number): Promise<number> {
  try {
    return await tryPort(preferred);
  } catch {
    return findFreePort();
  }
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
