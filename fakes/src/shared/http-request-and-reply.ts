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
  // 303: the browser follows a form submission with GET.
  reply.writeHead(303, { location, 'cache-control': 'no-store' }).end();
}

export function readHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Closes the connection without a response, for faults. */
export function dropConnection(request: IncomingMessage): void {
  request.socket.destroy();
}
