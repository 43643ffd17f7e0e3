import type { IncomingMessage, ServerResponse } from 'node:http';

export function sendHtml(reply: ServerResponse, status: number, page: string): void {
  reply.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  reply.end(page);
}

export function sendRedirect(reply: ServerResponse, location: string): void {
  // 303: what follows a form is fetched, never posted.
  reply.writeHead(303, { location, 'cache-control': 'no-store' }).end();
}

export function readHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Ends the connection in the middle of things, as a fault asks. */
export function dropConnection(request: IncomingMessage): void {
  request.socket.destroy();
}
