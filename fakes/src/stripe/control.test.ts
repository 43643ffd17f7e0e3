import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Stripe } from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { connectStripe } from '../stripe.ts';
import { parseForm } from './form-encoding.ts';
import { lessonCheckout, startReceiver, TUTOR } from './test-harness.ts';

test('controls a fake in another process over HTTP', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const cli = fileURLToPath(new URL('../run-fake-stripe.ts', import.meta.url));
  const child = spawn(process.execPath, [cli, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, STRIPE_API_KEY: 'sk_test_remote', DEBIT_SETTLES_AFTER: '20' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  while (!output.includes('listening at')) await once(child.stdout, 'data');
  const url = /listening at (\S+)/.exec(output)?.[1] ?? '';
  const { hostname, port } = new URL(url);
  const stripe = new Stripe('sk_test_remote', { host: hostname, port, protocol: 'http' });
  const control = connectStripe(url);
  await control.setWebhooks({ connect: { url: receiver.url, secret: 'whsec_remote' } });

  const account = await stripe.v2.core.accounts.create(TUTOR);
  await control.completeOnboarding(account.id);
  const options = { stripeAccount: account.id };
  const session = await stripe.checkout.sessions.create(lessonCheckout(), options);
  expect(await control.payOnCheckoutPage(session.id, 'bank-debit-succeeds')).toMatchObject({
    outcome: 'processing',
  });
  // The debit settles automatically after DEBIT_SETTLES_AFTER.
  while (receiver.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const types = receiver.received.map(
    ({ body, signature }) => stripe.webhooks.constructEvent(body, signature, 'whsec_remote').type,
  );
  expect(types).toEqual(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);
  const [report] = await control.report(account.id);
  expect(report?.payments[0]).toMatchObject({ sessionId: session.id, state: 'paid' });

  await expect(control.failRefund('re_none')).rejects.toThrow('There is no re_none');
  await expect((control as unknown as { fly: () => Promise<void> }).fly()).rejects.toThrow(
    'No control method fly',
  );
  const response = await fetch(`${url}/_control/faults`);
  expect(await response.json()).toEqual({ result: [] });

  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});

test('parses form keys with brackets as Stripe does', () => {
  const text =
    'a=1&b[c]=2&list[0][x]=3&list[1][x]=4&expand[]=one&expand[]=two&m[0]=zero&m[2]=two&s=%C2%A3%20%26&__proto__[p]=5';
  const form = parseForm(text);
  expect(form).toMatchObject({
    a: '1',
    b: { c: '2' },
    list: [{ x: '3' }, { x: '4' }],
    expand: ['one', 'two'],
    m: { 0: 'zero', 2: 'two' },
    s: '£ &',
  });
  expect(({} as { p?: string }).p).toBeUndefined();
});
