// Run as a process of its own: node fakes/src/smtp-sink.ts. Prints one line with its addresses.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** What a sink has seen: it keeps no mail, only how often each Message-ID came, and to whom. */
export interface SinkStats {
  received: number;
  distinct: number;
  /** Mails to addresses that begin with "gone": their lessons were called off. */
  toCancelled: number;
}

const counts = new Map<string, number>();
let received = 0;
let toGone = 0;

function note(head: string, to: readonly string[]): void {
  const id = /^message-id:\s*(<[^>]+>)/im.exec(head)?.[1] ?? '';
  counts.set(id, (counts.get(id) ?? 0) + 1);
  received += 1;
  if (to.some((address) => address.startsWith('gone'))) toGone += 1;
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
      note(
        head,
        session.envelope.rcptTo.map(({ address }) => address),
      );
      done();
    });
  },
});
// A client that is killed in the middle of a mail resets its connection: that is its own affair.
smtp.on('error', () => undefined);

const web = createServer((_request, response) => {
  const seen: SinkStats = { received, distinct: counts.size, toCancelled: toGone };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(seen));
});

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const listener = smtp.listen(0, '127.0.0.1');
web.listen(0, '127.0.0.1', () => {
  console.log(`sink smtp://127.0.0.1:${portOf(listener)} http://127.0.0.1:${portOf(web)}`);
});
