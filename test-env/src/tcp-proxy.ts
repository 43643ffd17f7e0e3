import { createServer, connect as openSocket, type Socket } from 'node:net';
import { findFreePort } from './free-port.ts';

export interface TcpProxy {
  port: number;
  /** Stops forwarding without closing anything, like a pulled network cable. */
  freeze: () => void;
  thaw: () => void;
  close: () => Promise<void>;
}

/**
 * Listens on `host` and forwards connections to a local port. While it is frozen, neither side is notified that the
 * other has closed.
 */
export async function startTcpProxy(targetPort: number, host = '127.0.0.1'): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const onThaw: (() => void)[] = [];
  let isFrozen = false;
  const whenThawed = (work: () => void) => (isFrozen ? void onThaw.push(work) : work());

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    if (isFrozen) socket.pause();
  }

  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      // Data that was read just before a freeze is written after the thaw.
      whenThawed(() => void to.write(chunk));
    });
    from.on('close', () => whenThawed(() => to.destroy()));
  }

  const server = createServer((client) => {
    track(client);
    whenThawed(() => {
      if (client.destroyed) return;
      const target = openSocket({ port: targetPort, host: '127.0.0.1' });
      track(target);
      forward(client, target);
      forward(target, client);
    });
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));

  return {
    port,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const work of onThaw.splice(0)) work();
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The URL of the same database through the proxy. */
export function urlThroughProxy(databaseUrl: string, proxy: Pick<TcpProxy, 'port'>): string {
  const url = new URL(databaseUrl);
  url.port = String(proxy.port);
  return url.href;
}
