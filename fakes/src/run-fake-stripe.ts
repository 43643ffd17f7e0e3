// Usage: node fakes/src/run-fake-stripe.ts [port]
// The webhook endpoints come from ACCOUNT_WEBHOOK_URL, ACCOUNT_WEBHOOK_SECRET, CONNECT_WEBHOOK_URL, CONNECT_WEBHOOK_SECRET
// or are set later with POST /_control/setWebhooks.
import { type StripeOptions, startStripe } from './stripe.ts';

const [port = '0'] = process.argv.slice(2);

const stripe = await startStripe({
  port: Number(port),
  // In development, debits settle without a control call.
  debitSettlesAfter: Number(process.env['DEBIT_SETTLES_AFTER'] ?? 5_000),
  ...optionalSetting('apiKey', process.env['STRIPE_API_KEY']),
  ...optionalSetting('host', process.env['STRIPE_HOST']),
  ...optionalSetting('publicUrl', process.env['STRIPE_PUBLIC_URL']),
  ...optionalSetting('accountWebhook', readEndpoint('ACCOUNT')),
  ...optionalSetting('connectWebhook', readEndpoint('CONNECT')),
});
console.log(`Fake Stripe listening at ${stripe.url}`);

function optionalSetting<K extends keyof StripeOptions>(
  name: K,
  value: StripeOptions[K] | undefined,
) {
  return value === undefined ? {} : ({ [name]: value } as Pick<StripeOptions, K>);
}

function readEndpoint(name: string) {
  const url = process.env[`${name}_WEBHOOK_URL`];
  const secret = process.env[`${name}_WEBHOOK_SECRET`];
  return url && secret ? { url, secret } : undefined;
}

async function stop(): Promise<void> {
  await stripe.close();
  process.exit(0);
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
