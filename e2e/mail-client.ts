import type { Mail } from '@lessonbook/fakes/mail';
import { expect } from '@playwright/test';

export interface MailClient {
  /** The newest mail to this address whose subject fits, once it has arrived. */
  waitFor: (to: string, subject: RegExp) => Promise<Mail>;
  /** The address of the one link in that mail. */
  waitForLink: (to: string, subject: RegExp) => Promise<string>;
}

export function createMailClient(webUrl: string): MailClient {
  async function waitFor(to: string, subject: RegExp): Promise<Mail> {
    let found: Mail | undefined;
    await expect
      .poll(
        async () => {
          const mails = (await (await fetch(`${webUrl}/mails`)).json()) as Mail[];
          found = mails.findLast((mail) => mail.to.includes(to) && subject.test(mail.subject));
          return found?.subject ?? `nothing like ${subject} to ${to}`;
        },
        { timeout: 60_000, intervals: [100, 200, 400] },
      )
      .toMatch(subject);
    if (!found) throw new Error('unreachable');
    return found;
  }

  return {
    waitFor,
    async waitForLink(to, subject) {
      const mail = await waitFor(to, subject);
      // The way out at the end is not what the mail is about.
      const links = [...mail.html.matchAll(/href="([^"]+)"/g)]
        .map((match) => match[1] ?? '')
        .filter((link) => !link.includes('/unsubscribe/'));
      expect(links, 'links in the mail').toHaveLength(1);
      const [link = ''] = links;
      // A reader of plain text must find the same address.
      expect(mail.text).toContain(link);
      return link;
    },
  };
}
