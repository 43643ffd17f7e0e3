import { type AddressInfo, createServer } from 'node:net';

/** A port nobody listens on right now. Use it soon: nothing reserves it. */
export function freePort(): Promise<number> {
  return claim(0);
}

/** The port everybody knows by heart, unless it is taken: then a free one. */
export async function portOr(preferred: number): Promise<number> {
  try {
    return await claim(preferred);
  } catch {
    return freePort();
  }
}

function claim(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
