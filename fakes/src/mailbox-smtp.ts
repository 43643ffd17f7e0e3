import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export interface Delivery {
  raw: Buffer;
  envelope: { from: string; to: string[] };
}

export interface Stall {
  /** Resolves once the first client is being held. */
  reached: Promise<void>;
  /** Lets the held clients continue. */
  release: () => void;
}

export interface SmtpListener {
  url: string;
  stallBeforeData: () => Stall;
  rejectNext: (code: number, times: number) => void;
  dropAfterData: (times: number) => void;
  stop: () => Promise<void>;
}

/** An SMTP server that accepts mail for any recipient and passes it to `onDelivery`. */
export async function startSmtp(
  port: number,
  onDelivery: (delivery: Delivery) => Promise<void>,
): Promise<SmtpListener> {
  const gate = new RecipientGate();
  let connectionsToDrop = 0;

  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    // No TLS: a self-signed certificate would fail verification, and tests read the plain SMTP traffic.
    disabledCommands: ['STARTTLS'],
    // A pipelining client would send DATA before the reply to RCPT, which would bypass a stall.
    hidePIPELINING: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onRcptTo: ({ address }, _session, done) => {
      void gate.pass(address).then(
        () => done(),
        (error: unknown) => done(error as Error),
      );
    },
    onData: (stream, session, done) => {
      void readBytes(stream)
        .then((raw) => onDelivery({ raw, envelope: toEnvelope(session) }))
        .then(
          () => {
            if (connectionsToDrop === 0) return done();
            connectionsToDrop -= 1;
            // The email is stored, but the client gets no reply.
            for (const each of server.connections) {
              if ('session' in each && each.session === session) each._socket.destroy();
            }
          },
          (error: unknown) => done(error as Error),
        );
    },
  });
  // Ignore connection resets from clients that are killed while sending.
  server.on('error', () => {});

  const listener = server.listen(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    listener.once('listening', resolve);
    listener.once('error', reject);
  });

  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stallBeforeData: () => gate.stall(),
    rejectNext: (code, times) => gate.rejectNext(code, times),
    dropAfterData: (times) => {
      connectionsToDrop += times;
    },
    stop: () => {
      gate.releaseAll();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Decides how to reply to RCPT: accept, reject or hold. */
class RecipientGate {
  private rejections: number[] = [];
  private stalls = new Set<{
    released: Promise<void>;
    release: () => void;
    markReached: () => void;
  }>();

  rejectNext(code: number, times: number): void {
    for (let count = 0; count < times; count += 1) this.rejections.push(code);
  }

  stall(): Stall {
    const released = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const entry = {
      released: released.promise,
      markReached: reached.resolve,
      release: () => {
        this.stalls.delete(entry);
        released.resolve();
      },
    };
    this.stalls.add(entry);
    return { reached: reached.promise, release: entry.release };
  }

  releaseAll(): void {
    for (const stall of this.stalls) stall.release();
  }

  async pass(address: string): Promise<void> {
    for (const stall of this.stalls) {
      stall.markReached();
      await stall.released;
    }
    const code = this.rejections.shift();
    if (code !== undefined) {
      // Real servers also quote the address.
      throw Object.assign(new Error(`<${address}>: rejected`), { responseCode: code });
    }
  }
}

function toEnvelope(session: SMTPServerSession): Delivery['envelope'] {
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map((recipient) => recipient.address),
  };
}

async function readBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
