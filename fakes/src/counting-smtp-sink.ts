// Usage: node fakes/src/counting-smtp-sink.ts. Prints one line with its SMTP and HTTP addresses.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The sink stores no email; it only counts messages by Message-ID and recipient. */
export interface SinkStats {
  received: number;
  distinct: number;
  /** Number of emails to addresses that start with "cancelled", which belong to cancelled lessons. */
  sentToCancelled: number;
}

const counts = new Map<string, number>();
let received = 0;
let sentToCancelled = 0;

function countMail(head: string, to: readonly string[]): void {
  const id = /^message-id:\s*(<[^>]+>)/im.exec(head)?.[1] ?? '';
  counts.set(id, (counts.get(id) ?? 0) + 1);
  received += 1;
  if (to.some((address) => address.startsWith('cancelled'))) sentToCancelled += 1;
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, session, done) => {
    let head = '';
    stream.on('data', (chunk: Buffer) => {
      if (head.length < 4_000) head += chunk.toString('latin1');
    });
    stream.on('end', () => {
      countMail(
        head,
        session.envelope.rcptTo.map(({ address }) => address),
      );
      done();
    });
  },
});
// Ignore connection resets from clients that are killed while sending.
smtp.on('error', () => undefined);

const web = createServer((_request, response) => {
  const stats: SinkStats = { received, distinct: counts.size, sentToCancelled };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(stats));
});

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const listener = smtp.listen(0, '127.0.0.1');
web.listen(0, '127.0.0.1', () => {
  console.log(`sink smtp://127.0.0.1:${portOf(listener)} http://127.0.0.1:${portOf(web)}`);
});
