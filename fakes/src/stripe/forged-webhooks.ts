import type { PostResponse } from '../shared/http-post.ts';
import { API_VERSION, type SnapshotEvent, type ThinEvent } from './event-types.ts';
import { realTimeSeconds, signatureHeader } from './signature.ts';
import type { StripeState } from './state.ts';
import type { WebhookSender } from './webhook-sender.ts';
import type { Endpoint } from './webhook-subscriptions.ts';

export type Forgery =
  /** Signed with a wrong secret. */
  | 'wrong-signature'
  /** Valid signature from an hour ago. */
  | 'stale'
  /** Body changed after signing. */
  | 'tampered'
  | 'no-signature'
  /** Valid signature, unknown account. */
  | 'other-account'
  /** Valid signature, live mode. */
  | 'wrong-mode';

export interface ForgeryOptions {
  /** The receiving endpoint. */
  to?: 'account' | 'connect';
  account?: string;
  type?: string;
  /** The event's object; defaults to a made-up paid session. */
  object?: object;
}

/** Posts a forged event and returns the response. */
export async function sendForgedEvent(
  state: StripeState,
  webhooks: WebhookSender,
  kind: Forgery,
  options: ForgeryOptions = {},
): Promise<PostResponse & { eventId: string }> {
  const endpoint: Endpoint | null =
    options.to === 'account' ? webhooks.accountEndpoint : webhooks.connectEndpoint;
  if (!endpoint) throw new Error('No endpoint is set');
  const existing = options.account ?? state.accounts.keys().next().value ?? state.newId('account');
  const account = kind === 'other-account' && !options.account ? state.newId('account') : existing;
  const event =
    options.to === 'account'
      ? createThinEvent(state, account, options)
      : createSnapshotEvent(state, account, options);
  event.livemode = kind === 'wrong-mode';

  const body = JSON.stringify(event, null, 2);
  const now = realTimeSeconds();
  const secret = kind === 'wrong-signature' ? 'whsec_wrong' : endpoint.secret;
  const header =
    kind === 'no-signature'
      ? ''
      : signatureHeader(body, secret, kind === 'stale' ? now - 3_600 : now);
  const payload = kind === 'tampered' ? body.replace('{', '{ ') : body;
  const response = await webhooks.postOnce(endpoint, payload, header);
  return { ...response, eventId: event.id };
}

function createSnapshotEvent(
  state: StripeState,
  account: string,
  options: ForgeryOptions,
): SnapshotEvent {
  return {
    id: state.newId('event'),
    object: 'event',
    account,
    api_version: API_VERSION,
    created: state.clock.seconds(),
    data: {
      object: options.object ?? {
        id: state.newId('session'),
        object: 'checkout.session',
        payment_status: 'paid',
        status: 'complete',
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: options.type ?? 'checkout.session.completed',
  };
}

function createThinEvent(state: StripeState, account: string, options: ForgeryOptions): ThinEvent {
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
    type: options.type ?? 'v2.core.account[requirements].updated',
  };
}
