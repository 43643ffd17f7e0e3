import type { PostResponse } from '../shared/http-post.ts';
import { API_VERSION, type SnapshotEvent, type ThinEvent } from './event-types.ts';
import { realTimeSeconds, signatureHeader } from './signature.ts';
import type { StripeState } from './state.ts';
import type { Endpoint } from './webhook-endpoints.ts';
import type { WebhookSender } from './webhook-sender.ts';

export type Forgery =
  /** Signed with another secret. */
  | 'wrong-signature'
  /** Signed well, but an hour ago. */
  | 'stale'
  /** Signed well, but the body was changed afterwards. */
  | 'tampered'
  | 'no-signature'
  /** Signed well, about an account that is nobody's. */
  | 'other-account'
  /** Signed well, but from live mode. */
  | 'wrong-mode';

export interface ForgeryOptions {
  /** Which of the two endpoints gets it. */
  to?: 'account' | 'connect';
  account?: string;
  type?: string;
  /** What the event says it is about; a made-up paid session when left out. */
  object?: object;
}

/** Posts a bad event and says what it was answered. */
export async function sendForgedEvent(
  state: StripeState,
  webhooks: WebhookSender,
  kind: Forgery,
  ask: ForgeryOptions = {},
): Promise<PostResponse & { eventId: string }> {
  const endpoint: Endpoint | null =
    ask.to === 'account' ? webhooks.accountEndpoint : webhooks.connectEndpoint;
  if (!endpoint) throw new Error('There is no endpoint to post to');
  const known = ask.account ?? state.accounts.keys().next().value ?? state.newId('account');
  const account = kind === 'other-account' && !ask.account ? state.newId('account') : known;
  const event =
    ask.to === 'account'
      ? createThinEvent(state, account, ask)
      : createSnapshotEvent(state, account, ask);
  event.livemode = kind === 'wrong-mode';

  const body = JSON.stringify(event, null, 2);
  const now = realTimeSeconds();
  const secret = kind === 'wrong-signature' ? 'whsec_somebody_elses' : endpoint.secret;
  const header =
    kind === 'no-signature'
      ? ''
      : signatureHeader(body, secret, kind === 'stale' ? now - 3_600 : now);
  const sent = kind === 'tampered' ? body.replace('{', '{ ') : body;
  const answer = await webhooks.postOnce(endpoint, sent, header);
  return { ...answer, eventId: event.id };
}

function createSnapshotEvent(
  state: StripeState,
  account: string,
  ask: ForgeryOptions,
): SnapshotEvent {
  return {
    id: state.newId('event'),
    object: 'event',
    account,
    api_version: API_VERSION,
    created: state.clock.seconds(),
    data: {
      object: ask.object ?? {
        id: state.newId('session'),
        object: 'checkout.session',
        payment_status: 'paid',
        status: 'complete',
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: ask.type ?? 'checkout.session.completed',
  };
}

function createThinEvent(state: StripeState, account: string, ask: ForgeryOptions): ThinEvent {
  return {
    id: state.newId('thinEvent'),
    object: 'v2.core.event',
    context: account,
    created: state.clock.iso(),
    livemode: false,
    related_object: {
      id: account,
      type: 'v2.core.account',
      url: `/v2/core/accounts/${account}`,
    },
    type: ask.type ?? 'v2.core.account[requirements].updated',
  };
}
