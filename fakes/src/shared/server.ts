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
  /** Whom it stands in for, in words. */
  name: string;
  port: number;
  host: string;
  control: object;
  handle: (exchange: HttpExchange) => Promise<void> | void;
}

/** Listens, and lets whoever is in another process steer by `/_control/<name>`. */
export async function serve(
  options: ServeOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const { name, port, host, control, handle } = options;
  const server = createServer((request, reply) => {
    void answer(request).catch((problem: unknown) => {
      console.error(`The stand-in for ${name} failed:`, problem);
      reply.destroy();
    });

    async function answer(asked: IncomingMessage): Promise<void> {
      const url = new URL(asked.url ?? '/', 'http://stand-in.invalid');
      const body = await readBody(asked);
      if (url.pathname.startsWith('/_control/')) {
        return handleControl(control, reply, url.pathname, body);
      }
      await handle({ request: asked, reply, method: asked.method ?? 'GET', url, body });
    }
  });
  // Vendors keep connections open for long; a short time would make callers trip over it.
  server.keepAliveTimeout = 60_000;
  await waitForListening(server, port, host);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Also those left hanging by a fault.
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
