import type { Mail } from '@lessonbook/fakes/parse-mail';
import { expect } from '@playwright/test';

export interface MailClient {
  /** Waits for an email to this address with a matching subject; returns the newest. */
  waitFor: (to: string, subject: RegExp) => Promise<Mail>;
  /** How many emails have arrived at this address. */
  countTo: (to: string) => Promise<number>;
  /** Waits for such an email and returns its only link, apart from the one to unsubscribe. */
  waitForLink: (to: string, subject: RegExp) => Promise<string>;
}

export function createMailClient(webUrl: string): MailClient {
  const readEmails = async () => (await (await fetch(`${webUrl}/emails`)).json()) as Mail[];

  async function waitFor(to: string, subject: RegExp): Promise<Mail> {
    let found: Mail | undefined;
    await expect
      .poll(
        async () => {
          found = (await readEmails()).findLast(
            (mail) => mail.to.includes(to) && subject.test(mail.subject),
          );
          return found?.subject ?? `no matching email to ${to}`;
        },
        { timeout: 60_000, intervals: [100, 200, 400] },
      )
      .toMatch(subject);
    if (!found) throw new Error('unreachable');
    return found;
  }

  return {
    waitFor,
    countTo: async (to) => (await readEmails()).filter((mail) => mail.to.includes(to)).length,
    async waitForLink(to, subject) {
      const mail = await waitFor(to, subject);
      // Ignores the unsubscribe link
      const links = [...mail.html.matchAll(/href="([^"]+)"/g)]
        .map((match) => match[1] ?? '')
        .filter((link) => !link.includes('/unsubscribe/'));
      expect(links, 'links in the email').toHaveLength(1);
      const [link = ''] = links;
      // The plain text must contain the same link.
      expect(mail.text).toContain(link);
      return link;
    },
  };
}
