import { startMailbox } from '@lessonbook/fakes/mailbox';
import { expect, test } from 'vitest';
import { classifySmtpError, hasSmtpResponse, smtpMailer } from './mail.ts';

test("F38 the error omits the recipient's address, even if the mail server quotes it in its response", async () => {
  const mailbox = await startMailbox();
  const from = 'Lessonbook <book@lessonbook.example>';
  const mailer = smtpMailer({ smtpUrl: mailbox.smtpUrl, from, domain: 'lessonbook.example' });
  try {
    mailbox.rejectNext(550);
    const to = { name: 'Ruth Hale', address: 'ruth@families.example' };
    const content = {
      kind: 'custom' as const,
      subject: 'Hello',
      text: 'Hello',
      html: 'Hello',
      messageId: '1',
    };
    const error = (await mailer.send({ to, ...content }).catch((reason) => reason)) as Error;
    expect(error.message).toMatch(/^The mail server answered 550 .*to RCPT TO$/);
    // The logger and the queue use the message, the stack and the other properties.
    const output = `${error.stack}${JSON.stringify(error)}${JSON.stringify(error.cause)}`;
    expect(output).not.toContain('ruth');
    expect([classifySmtpError(error), hasSmtpResponse(error)]).toEqual(['permanent', true]);
  } finally {
    mailer.close();
    await mailbox.stop();
  }
});
