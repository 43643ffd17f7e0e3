import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { WAIT_TIMEOUT_MS } from './shared/test-timeouts.ts';

let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());
beforeEach(() => mailbox.clear());

async function send(
  subject: string,
  content: { text?: string; html?: string } = {},
): Promise<void> {
  const transport = createTransport(mailbox.smtpUrl);
  await transport.sendMail({
    from: 'Ada <ada@tutor.example>',
    to: ['Bo <bo@family.example>', 'cy@family.example'],
    replyTo: 'reply@tutor.example',
    subject,
    text: content.text ?? 'Plain text',
    ...(content.html === undefined ? {} : { html: content.html }),
    messageId: '<abc@lessonbook.example>',
    attachments: [{ filename: 'invoice.txt', content: 'owed: £20' }],
  });
  transport.close();
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), ms);
  });
  return Promise.race([promise.then(() => true), timeout]);
}

describe('receiving', () => {
  test('stores the parsed email and its envelope', async () => {
    await send('Lesson moved', { html: '<p>Moved</p>' });

    const mail = mailbox.emails()[0];
    expect(mail).toMatchObject({
      envelope: { from: 'ada@tutor.example', to: ['bo@family.example', 'cy@family.example'] },
      from: 'ada@tutor.example',
      to: ['bo@family.example', 'cy@family.example'],
      replyTo: ['reply@tutor.example'],
      subject: 'Lesson moved',
      messageId: '<abc@lessonbook.example>',
    });
    expect(mail?.text.trim()).toBe('Plain text');
    expect(mail?.html).toContain('<p>Moved</p>');
    expect(mail?.attachments[0]?.filename).toBe('invoice.txt');
    expect(mail?.attachments[0]?.content.toString()).toBe('owed: £20');
    expect(mail?.headers['reply-to']).toContain('reply@tutor.example');
  });

  test('waits for an email that arrives later', async () => {
    const waiting = mailbox.waitFor((mail) => mail.subject === 'Second');
    await send('First');
    await send('Second');
    expect((await waiting).subject).toBe('Second');
  });

  test('lists the received emails when the expected one does not arrive', async () => {
    await send('Another');
    await expect(mailbox.waitFor((mail) => mail.subject === 'Never', 30)).rejects.toThrow(
      /No matching email within 30 ms; received: "Another" to bo@family\.example/,
    );
  });
});

describe('simulated failures', () => {
  test('holds clients before DATA until released', async () => {
    const stall = mailbox.stallBeforeData();
    const sending = send('Held');

    await stall.reached;
    expect(await settlesWithin(sending, 50)).toBe(false);
    expect(mailbox.emails()).toEqual([]);

    stall.release();
    await sending;
    expect(mailbox.emails()).toHaveLength(1);
    await send('Not held any more');
  });

  test('rejects the given number of recipients with the given code', async () => {
    mailbox.rejectNext(451, 2);
    // Both recipients of the email are rejected, so nothing is delivered.
    await expect(send('Refused')).rejects.toMatchObject({ responseCode: 451 });
    await send('Accepted');
    expect(mailbox.emails().map((mail) => mail.subject)).toEqual(['Accepted']);
  });

  test('can be stopped while a client is held', async () => {
    const other = await startMailbox();
    const stall = other.stallBeforeData();
    const transport = createTransport(other.smtpUrl);
    const sending = transport
      .sendMail({ from: 'a@b.example', to: 'c@d.example', subject: 'x', text: 'x' })
      .catch(() => undefined);
    await stall.reached;
    expect(await settlesWithin(other.stop(), WAIT_TIMEOUT_MS)).toBe(true);
    await sending;
  });
});

describe('web page', () => {
  test('lists the emails and shows one with its content escaped', async () => {
    const html = '<script>alert(1)</script><b title="q">Bold</b>';
    await send('<img src=x onerror=alert(1)>', { text: '</pre><script>2</script>', html });

    const id = mailbox.emails()[0]?.id;
    const response = await fetch(`${mailbox.webUrl}/?mail=${id}`);
    const page = await response.text();

    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).toContain('&lt;/pre&gt;&lt;script&gt;2&lt;/script&gt;');
    expect(page).toContain('srcdoc="&lt;base target=&quot;_blank&quot;&gt;&lt;script&gt;alert(1)');
    expect(page).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
  });

  test('returns and deletes emails over HTTP', async () => {
    await send('By HTTP');
    const listed = await fetch(`${mailbox.webUrl}/emails`);
    expect(await listed.json()).toMatchObject([{ subject: 'By HTTP' }]);

    expect((await fetch(`${mailbox.webUrl}/emails`, { method: 'DELETE' })).status).toBe(204);
    expect(mailbox.emails()).toEqual([]);
    expect((await fetch(`${mailbox.webUrl}/nothing`)).status).toBe(404);
  });
});
