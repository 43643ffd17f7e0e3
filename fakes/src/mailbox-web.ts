import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mail } from './parse-mail.ts';
import { renderMailboxPage } from './render-mailbox-page.ts';

export interface MailStore {
  emails: () => Mail[];
  clear: () => void;
}

export interface WebListener {
  url: string;
  stop: () => Promise<void>;
}

/** Serves `GET /` for developers, and `GET /emails` and `DELETE /emails` for tests in another process. */
export async function startWeb(port: number, store: MailStore): Promise<WebListener> {
  const server = createServer((request, reply) => handleRequest(request, reply, store));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function handleRequest(request: IncomingMessage, reply: ServerResponse, store: MailStore): void {
  const url = new URL(request.url ?? '/', 'http://mailbox.invalid');
  const route = `${request.method} ${url.pathname}`;

  if (route === 'GET /') {
    const emails = store.emails();
    const openedId = Number(url.searchParams.get('mail'));
    const opened = emails.find((mail) => mail.id === openedId);
    reply.setHeader('content-type', 'text/html; charset=utf-8');
    // In addition to the sandbox: an email must not run scripts or fetch anything.
    reply.setHeader(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'",
    );
    reply.end(renderMailboxPage(emails, opened));
    return;
  }
  if (route === 'GET /emails') {
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify(store.emails().map(toJson)));
    return;
  }
  if (route === 'DELETE /emails') {
    store.clear();
    reply.writeHead(204).end();
    return;
  }
  reply.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
}

function toJson(mail: Mail) {
  return {
    ...mail,
    attachments: mail.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: content.toString('base64'),
    })),
  };
}
