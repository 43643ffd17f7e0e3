import { accounts } from '@lessonbook/contract/accounts';
import { cards } from '@lessonbook/contract/cards';
import { WAIT_CEILING_MS } from '@lessonbook/fakes/shared/ceiling';
import { type StripeStandIn, startStripe } from '@lessonbook/fakes/stripe';
import { waitUntil } from '@lessonbook/stage/wait-until';
import { newStudent } from './book.ts';
import type { Browser } from './browser.ts';
import { type House, openHouse } from './house.ts';
import { account, teach } from './money.ts';
import { openDesk } from './teaching.ts';

export const CARD = '4242424242424242';

export const SECRETS = { account: 'whsec_accounts', connect: 'whsec_payments' };

/** Where the provider's events go. */
export const webhooksOf = (url: string) => ({
  account: { url: `${url}/api/stripe/webhooks/accounts`, secret: SECRETS.account },
  connect: { url: `${url}/api/stripe/webhooks/payments`, secret: SECRETS.connect },
});

export interface CardHouse {
  house: House;
  stripe: StripeStandIn;
  /** Nothing is under way any more: no event, no job. */
  quiet: () => Promise<void>;
  close: () => Promise<void>;
}

/** The whole app with the card provider's stand-in beside it, each speaking to the other over HTTP. */
export async function openCardHouse(environment: Record<string, string> = {}): Promise<CardHouse> {
  const stripe = await startStripe();
  const house = await openHouse({
    RATE_LIMIT_FACTOR: '1000',
    STRIPE_SECRET_KEY: stripe.apiKey,
    STRIPE_URL: stripe.url,
    STRIPE_ACCOUNT_SECRET: SECRETS.account,
    STRIPE_PAYMENT_SECRET: SECRETS.connect,
    ...environment,
  });
  await stripe.control.setWebhooks(webhooksOf(house.url));
  const quiet = async () => {
    await waitUntil(
      async () => {
        await stripe.control.quiet();
        const { rows } = await house.admin.query<{ left: string }>(
          `select count(*) as left from jobs.job where name in ('card-event', 'card-refund') and state < 'completed'`,
        );
        return rows[0]?.left === '0';
      },
      () => 'card events are still being worked on',
      2 * WAIT_CEILING_MS,
    );
  };
  return {
    house,
    stripe,
    quiet,
    close: async () => {
      await house.close();
      await stripe.close();
    },
  };
}

/** What the provider calls a tutor's account, which no tutor ever sees. */
export async function accountOf(house: Pick<House, 'admin'>, browser: Browser): Promise<string> {
  const { rows } = await house.admin.query<{ account_id: string }>(
    `select c.account_id from card_accounts c join login_directory d on d.tutor_id = c.tutor_id where d.username = $1`,
    [(await browser.call(accounts.me)).body.username],
  );
  return rows[0]?.account_id ?? '';
}

export type Till = Awaited<ReturnType<typeof openTill>>;

/** A tutor who takes cards, with a family that owes £35 for each of two lessons. */
export async function openTill({ house, stripe, quiet }: CardHouse) {
  const desk = await openDesk(house);
  const { browser } = desk;
  const connected = await browser.call(cards.createCardAccount);
  if (connected.status !== 200) throw new Error(connected.error.message);
  const accountId = await accountOf(house, browser);
  await stripe.control.completeOnboarding(accountId);
  await quiet();
  const chosen = await browser.call(cards.saveDefaultMethod, { body: { paymentMethod: 'stripe' } });
  if (chosen.status !== 200) throw new Error(chosen.error.message);
  const maya = await newStudent(browser, { name: 'Maya Hale', carerName: 'Ruth Hale' });
  const familyId = maya.familyId as number;
  await teach(desk, maya.id, '2026-11-03');
  await teach(desk, maya.id, '2026-11-10');
  const { payToken } = await account(browser, familyId);
  const payer = house.browser();
  const openCheckout = async (token = payToken) => {
    const answer = await payer.call(cards.payByCard, {
      params: { token },
      body: { currency: 'GBP' },
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.error.message}`);
    const [books] = await stripe.control.books(accountId);
    return books?.payments.at(-1)?.sessionId ?? '';
  };
  const books = async () => (await stripe.control.books(accountId))[0];
  return { desk, browser, accountId, maya, familyId, payToken, payer, openCheckout, books };
}
