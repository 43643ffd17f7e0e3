import { type Mail, parseMail } from './mail.ts';
import { type Delivery, type Stall, startSmtp } from './mailbox-smtp.ts';
import { startWeb } from './mailbox-web.ts';
import { WAIT_CEILING_MS } from './shared/ceiling.ts';

export interface Mailbox {
  smtpUrl: string;
  webUrl: string;
  mails: () => Mail[];
  /** The first mail that fits, now or within `ms`; otherwise fails and names what did arrive. */
  waitFor: (predicate: (mail: Mail) => boolean, ms?: number) => Promise<Mail>;
  clear: () => void;
  /** Leaves clients without an answer to RCPT, so that no letter is sent yet, until released. */
  stallBeforeData: () => Stall;
  /** Answers the next `times` recipients with an SMTP error, such as 451 or 550. */
  refuseNext: (code: number, times?: number) => void;
  /** Takes the next `times` letters and hangs up instead of saying so. */
  dropAfterData: (times?: number) => void;
  stop: () => Promise<void>;
}

export interface MailboxOptions {
  /** A free port when left out. */
  smtpPort?: number;
  webPort?: number;
}

/** A real SMTP server that keeps what it gets, with a page to read it. */
export async function startMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  let kept: Mail[] = [];
  let lastId = 0;
  const listeners = new Set<(mail: Mail) => void>();

  async function keep(delivery: Delivery): Promise<void> {
    lastId += 1;
    const mail = await parseMail(lastId, delivery.raw, delivery.envelope);
    kept.push(mail);
    for (const listener of listeners) listener(mail);
  }

  function clear(): void {
    kept = [];
  }

  const smtp = await startSmtp(options.smtpPort ?? 0, keep);
  const web = await startWeb(options.webPort ?? 0, { mails: () => kept, clear }).catch(
    async (problem: unknown) => {
      await smtp.stop();
      throw problem;
    },
  );

  return {
    smtpUrl: smtp.url,
    webUrl: web.url,
    mails: () => [...kept],
    clear,
    stallBeforeData: smtp.stallBeforeData,
    refuseNext: (code, times = 1) => smtp.refuseNext(code, times),
    dropAfterData: (times = 1) => smtp.dropAfterData(times),
    stop: async () => {
      await Promise.all([smtp.stop(), web.stop()]);
    },

    waitFor(predicate, ms = WAIT_CEILING_MS) {
      const already = kept.find(predicate);
      if (already) return Promise.resolve(already);

      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(listener);
          reject(new Error(`No such mail within ${ms} ms; ${describe(kept)}`));
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

function describe(mails: readonly Mail[]): string {
  if (mails.length === 0) return 'none arrived at all';
  return `there are: ${mails.map((mail) => `"${mail.subject}" to ${mail.to.join(', ')}`).join('; ')}`;
}
