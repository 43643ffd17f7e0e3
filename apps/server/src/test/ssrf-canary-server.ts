import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server that must not be called, and records any requests that reach it. */
export async function startCanaryServer() {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.end('root:x:0:0');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    calls,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
