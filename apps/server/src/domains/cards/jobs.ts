import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CARD_EVENT, lookInto } from './service/hear-provider.ts';
import { reconcileEveryone } from './service/reconcile.ts';
import { CARD_REFUND, giveBackByCard } from './service/refunds.ts';

/** The provider may be away for hours: tries are spread over about a day. */
const TRIES = 14;

const event = defineJob({
  ...CARD_EVENT,
  retries: TRIES,
  retryDelaySeconds: 5,
  sideBySide: 10,
  run: (context, payload) => lookInto(context, payload),
});

const refund = defineJob({
  ...CARD_REFUND,
  retries: TRIES,
  retryDelaySeconds: 5,
  sideBySide: 5,
  run: (context, payload) => giveBackByCard(context, payload),
});

/** What no event has told. */
const reconcile = defineJob({
  name: 'reconcile-cards',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  sideBySide: 1,
  cron: '*/5 * * * *',
  run: (context) => reconcileEveryone(context),
});

export const cardJobs = [event, refund, reconcile];
