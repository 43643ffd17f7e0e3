import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleControl } from './control-http.ts';

export interface HttpExchange {
  request: IncomingMessage;
  reply: ServerResponse;
  method: string;
  url: URL;
  body: string;
}

export interface ServeOptions {
  /** The vendor's name, for log messages. */
  name: string;
  port: number;
  host: string;
  control: object;
  handle: (exchange: HttpExchange) => Promise<void> | void;
}

/** Starts the HTTP server; other processes control the fake through `/_control/<name>`. */
export async function serve(
  options: ServeOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const { name, port, host, control, handle } = options;
  const server = createServer((request, reply) => {
    void handleRequest().catch((error: unknown) => {
      console.error(`Fake ${name} failed:`, error);
      reply.destroy();
    });

    async function handleRequest(): Promise<void> {
      const url = new URL(request.url ?? '/', 'http://fake.invalid');
      const body = await readBody(request);
      if (url.pathname.startsWith('/_control/')) {
        return handleControl(control, reply, url.pathname, body);
      }
      await handle({ request, reply, method: request.method ?? 'GET', url, body });
    }
  });
  // Vendors keep connections open for a long time; a short timeout would cause errors in callers.
  server.keepAliveTimeout = 60_000;
  await waitForListening(server, port, host);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Also closes requests left hanging by a fault.
        server.closeAllConnections();
      }),
  };
}

function waitForListening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
