import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that a system hands out by itself: else any call to somewhere might take ours before we listen. */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;
const MAX_TRIES = 50;

/** A port nobody listens on right now. Nothing reserves it. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryPort(randomInt(MIN_PORT, MAX_PORT));
    } catch (problem) {
      if (tries === MAX_TRIES) throw problem;
    }
  }
}

/** The port everybody knows by heart, unless it is taken: then a free one. */
export async function preferredPort(preferred: number): Promise<number> {
  try {
    return await tryPort(preferred);
  } catch {
    return freePort();
  }
}

function tryPort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(wanted)));
  });
}
