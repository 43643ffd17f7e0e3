import { createTransport } from 'nodemailer';
import { Counter } from 'prom-client';
import { safeFileName } from '../platform/files/safe-file-name.ts';

/** A mail in our own words; the SMTP library stays behind this file. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Who speaks through us; the address stays ours, or the mail would be taken for a forgery. */
  readonly fromName?: string;
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer | string;
  }[];
  /** Stable for each mail we mean to send: the receiver's server can tell a repeat from a second mail. */
  readonly messageId: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const mailsTotal = new Counter({
  name: 'lessonbook_mails_total',
  help: 'Attempts to hand a mail over, by what the server said: sent, later (tried again), refused',
  labelNames: ['outcome'],
});

export function smtpMailer(options: { smtpUrl: string; from: string; domain: string }): Mailer {
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: 5,
    // How long a silent server is waited for, unless the address itself says otherwise (?socketTimeout=…).
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // Texts come from templates of ours; a name must never make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sender = parseSender(options.from);
  return {
    send: async (mail) => {
      const sending = transport.sendMail({
        from: mail.fromName
          ? { name: `${mail.fromName} via ${sender.name}`, address: sender.address }
          : options.from,
        ...(mail.replyTo ? { replyTo: { ...mail.replyTo } } : {}),
        ...(mail.attachments
          ? {
              attachments: mail.attachments.map((each) => ({
                ...each,
                filename: safeFileName(each.filename),
              })),
            }
          : {}),
        to: { name: mail.to.name, address: mail.to.address },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.messageId}@${options.domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      });
      await sending.then(
        () => mailsTotal.inc({ outcome: 'sent' }),
        (error: unknown) => {
          mailsTotal.inc({
            outcome: classifySmtpError(error) === 'for good' ? 'refused' : 'later',
          });
          throw error;
        },
      );
    },
    close: () => transport.close(),
  };
}

/** "Lessonbook <book@lessonbook.example>" in its two parts. */
function parseSender(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^\s*(.*?)\s*<([^>]+)>\s*$/.exec(from) ?? [];
  return { name: name.replaceAll('"', ''), address };
}

/** The receiving server said no for good, or only for now. */
export type SmtpFailure = 'for good' | 'for now';

export function classifySmtpError(error: unknown): SmtpFailure {
  const code = (error as { responseCode?: number }).responseCode ?? 0;
  return code >= 500 && code < 600 ? 'for good' : 'for now';
}

/** The receiving server said something. Where the line was cut without a word, the letter may have been taken all the same. */
export const hasSmtpResponse = (error: unknown): boolean =>
  (error as { responseCode?: number }).responseCode !== undefined;
