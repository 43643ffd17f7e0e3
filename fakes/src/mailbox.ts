import { type Delivery, type Stall, startSmtp } from './mailbox-smtp.ts';
import { startWeb } from './mailbox-web.ts';
import { type Mail, parseMail } from './parse-mail.ts';
import { WAIT_TIMEOUT_MS } from './shared/test-timeouts.ts';

export interface Mailbox {
  smtpUrl: string;
  webUrl: string;
  emails: () => Mail[];
  /** Returns the first matching email, waiting up to `ms`; rejects with a list of the emails that did arrive. */
  waitFor: (predicate: (mail: Mail) => boolean, ms?: number) => Promise<Mail>;
  clear: () => void;
  /** Withholds the reply to RCPT, so that clients cannot send email until released. */
  stallBeforeData: () => Stall;
  /** Rejects the next `times` recipients with an SMTP error, such as 451 or 550. */
  rejectNext: (code: number, times?: number) => void;
  /** Stores the next `times` emails and drops the connection instead of replying. */
  dropAfterData: (times?: number) => void;
  stop: () => Promise<void>;
}

export interface MailboxOptions {
  /** Defaults to a free port. */
  smtpPort?: number;
  webPort?: number;
}

/** A real SMTP server that stores received mail, with a web page to read it. */
export async function startMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  let emails: Mail[] = [];
  let lastId = 0;
  const listeners = new Set<(mail: Mail) => void>();

  async function store(delivery: Delivery): Promise<void> {
    lastId += 1;
    const mail = await parseMail(lastId, delivery.raw, delivery.envelope);
    emails.push(mail);
    for (const listener of listeners) listener(mail);
  }

  function clear(): void {
    emails = [];
  }

  const smtp = await startSmtp(options.smtpPort ?? 0, store);
  const web = await startWeb(options.webPort ?? 0, { emails: () => emails, clear }).catch(
    async (error: unknown) => {
      await smtp.stop();
      throw error;
    },
  );

  return {
    smtpUrl: smtp.url,
    webUrl: web.url,
    emails: () => [...emails],
    clear,
    stallBeforeData: smtp.stallBeforeData,
    rejectNext: (code, times = 1) => smtp.rejectNext(code, times),
    dropAfterData: (times = 1) => smtp.dropAfterData(times),
    stop: async () => {
      await Promise.all([smtp.stop(), web.stop()]);
    },

    waitFor(predicate, ms = WAIT_TIMEOUT_MS) {
      const existing = emails.find(predicate);
      if (existing) return Promise.resolve(existing);

      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(listener);
          reject(new Error(`No matching email within ${ms} ms; ${describeEmails(emails)}`));
        }, ms);
        function listener(mail: Mail): void {
          if (!predicate(mail)) return;
          clearTimeout(timer);
          listeners.delete(listener);
          resolve(mail);
        }
        listeners.add(listener);
      });
    },
  };
}

function describeEmails(emails: readonly Mail[]): string {
  if (emails.length === 0) return 'none received';
  return `received: ${emails.map((mail) => `"${mail.subject}" to ${mail.to.join(', ')}`).join('; ')}`;
}
