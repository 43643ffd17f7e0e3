/** Receives the webhooks that a fake posts, for tests. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver<T> {
  url: string;
  received: T[];
  /** Response statuses for the next requests; after those, 200. */
  nextStatuses: number[];
  close: () => Promise<void>;
}

export async function startWebhookReceiver<T>(
  read: (request: IncomingMessage, body: string) => T,
): Promise<Receiver<T>> {
  const received: T[] = [];
  const nextStatuses: number[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(read(request, Buffer.concat(chunks).toString()));
      reply.writeHead(nextStatuses.shift() ?? 200).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    nextStatuses,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
