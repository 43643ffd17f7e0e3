import { startStripe } from '@lessonbook/fakes/stripe';
import { signatureHeader } from '@lessonbook/fakes/stripe/signature';
import { startWhatsApp } from '@lessonbook/fakes/whatsapp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../platform/crypto/tokens.ts';
import { addPublicLinks } from '../../platform/message-link-tokens.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createSmallTutor,
  killMoveAfter,
  listJobIds,
  runMove,
  type SmallTutor,
  startInstallation,
  statusAt,
} from '../../test/move-tutor-test-support.ts';
import { WEBHOOK_SECRETS } from '../../test/stripe-test-app.ts';
import type { TestApp } from '../../test/test-app.ts';
import { nextPhoneNumber } from '../../test/whatsapp-test-app.ts';
import {
  AUTHENTICATION_TEMPLATES,
  WHATSAPP_TEMPLATES,
} from '../messages/rules/whatsapp-templates.ts';
import { finishMove } from './service/move-tutor.ts';

/* Webhooks that reach both installations while a tutor moves. */

let stripe: Awaited<ReturnType<typeof startStripe>>;
let whatsApp: Awaited<ReturnType<typeof startWhatsApp>>;
let source: TestApp;
let target: TestApp;

beforeAll(async () => {
  stripe = await startStripe();
  whatsApp = await startWhatsApp({
    templates: WHATSAPP_TEMPLATES,
    authenticationTemplates: AUTHENTICATION_TEMPLATES,
  });
  const environment = {
    STRIPE_SECRET_KEY: stripe.apiKey,
    STRIPE_URL: stripe.url,
    STRIPE_ACCOUNT_SECRET: WEBHOOK_SECRETS.account,
    STRIPE_PAYMENT_SECRET: WEBHOOK_SECRETS.connect,
    ...whatsApp.environment,
  };
  source = await startInstallation('home', environment);
  target = await startInstallation('away', environment);
});
afterAll(async () => {
  await source.close();
  await target.close();
  await stripe.close();
  await whatsApp.stop();
});

let count = 0;

async function createTutorWithAccount(): Promise<SmallTutor & { account: string }> {
  const tutor = await createSmallTutor(source);
  count += 1;
  const account = `acct_moving${count}`;
  await source.admin.query(
    'insert into stripe_account_index (account_id, tutor_id) values ($1, $2)',
    [account, tutor.id],
  );
  return { ...tutor, account };
}

/** Delivers a new event to one installation. Returns the status and `received`. */
async function deliverCardEvent({ url }: TestApp, account: string) {
  count += 1;
  const body = JSON.stringify({
    id: `evt_${count}`,
    object: 'event',
    type: 'charge.updated',
    account,
    livemode: false,
    data: { object: { id: 'ch_1', object: 'charge' } },
  });
  const seconds = Math.floor(Date.now() / 1000);
  const response = await fetch(`${url}/api/stripe/webhooks/payments`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signatureHeader(body, WEBHOOK_SECRETS.connect, seconds),
    },
    body,
  });
  const { received } = (await response.json()) as { received?: boolean };
  return [response.status, received];
}

const deliverToWhatsApp = async ({ url }: TestApp, payload: object) =>
  (await whatsApp.webhooks.deliver(`${url}/api/whatsapp/webhooks`, payload)).status;

describe('events from Stripe', () => {
  const REPEAT = [503, undefined];
  const IGNORED = [200, false];

  test('are repeated until one installation serves the tutor, and never stop the move', async () => {
    const { account, browser, input, id } = await createTutorWithAccount();
    const jobs = await listJobIds(source, id);
    const deliver = () =>
      Promise.all([source, target].map((app) => deliverCardEvent(app, account)));
    await killMoveAfter(source, target, input.username, 'locked');
    expect(await deliver()).toEqual([REPEAT, IGNORED]);
    await killMoveAfter(source, target, input.username, 'copied');
    expect(await deliver()).toEqual([REPEAT, REPEAT]);
    await killMoveAfter(source, target, input.username, 'moved');
    expect(await deliver()).toEqual([IGNORED, REPEAT]);
    await runMove(source, target, input.username);
    expect(await statusAt(browser, target)).toBe(200);
    expect(await listJobIds(target, id)).toEqual(jobs);
    expect(await deliver()).toEqual([IGNORED, [200, true]]);
    await runMove(source, target, input.username, { command: finishMove });
    expect(await deliver()).toEqual([IGNORED, [200, true]]);
  });

  test('a job that is already in the queue of the target does not stop the move', async () => {
    const { browser, input, id } = await createTutorWithAccount();
    const jobs = await listJobIds(source, id);
    await killMoveAfter(source, target, input.username, 'moved');
    const { rows } = await target.admin.query<{ id: string }>(
      `insert into jobs.job (name, data, start_after)
       values ('card-event', jsonb_build_object('tutorId', $1::text), now() + interval '1 day') returning id`,
      [id],
    );
    await runMove(source, target, input.username);
    expect(await statusAt(browser, target)).toBe(200);
    const extra = rows.map((row) => row.id);
    expect(await listJobIds(target, id)).toEqual([...jobs, ...extra].toSorted());
  });
});

describe('WhatsApp', () => {
  test('a family that replies STOP after the rows were copied is not sent anything by the target', async () => {
    const { browser, input } = await createSmallTutor(source);
    const phone = nextPhoneNumber();
    await createStudent(browser, { name: 'Leo', carerName: 'Ruth', carerPhone: phone });
    await killMoveAfter(source, target, input.username, 'copied');
    const reply = whatsApp.webhooks.message(phone.slice(1), 'STOP');
    expect(await deliverToWhatsApp(source, reply)).toBe(200);
    const optOuts = 'select from whatsapp_opt_outs where opted_out_at is not null';
    const before = (await target.admin.query(optOuts)).rowCount ?? 0;
    await runMove(source, target, input.username);
    expect((await target.admin.query(optOuts)).rowCount).toBe(before + 1);
  });

  test('statuses about a tutor who has moved are answered with 200, and during the move with 503', async () => {
    const { id, input } = await createSmallTutor(source);
    const message = { id: `wamid.${count}`, to: '447700900000', reference: `reference ${count}` };
    await source.context.db.globalTransaction((tx) =>
      addPublicLinks(tx, [
        {
          tokenHash: sha256(message.reference),
          tutorId: id,
          kind: 'whatsapp',
          targetId: 1,
          now: new Date(),
        },
      ]),
    );
    const deliver = (app: TestApp) =>
      deliverToWhatsApp(app, whatsApp.webhooks.statuses([{ message, status: 'read' }]));
    await killMoveAfter(source, target, input.username, 'copied');
    expect(await deliver(target)).toBe(503);
    await runMove(source, target, input.username);
    expect([await deliver(source), await deliver(target)]).toEqual([200, 200]);
  });
});
