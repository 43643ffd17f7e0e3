import type { PostAnswer } from '../shared/post.ts';
import type { Deliveries } from './deliveries.ts';
import type { Endpoint } from './delivery-settings.ts';
import { API_VERSION, type SnapshotEvent, type ThinEvent } from './event-types.ts';
import { signatureHeader, wallSeconds } from './signature.ts';
import type { World } from './world.ts';

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

export interface ForgeAsk {
  /** Which of the two endpoints gets it. */
  to?: 'account' | 'connect';
  account?: string;
  type?: string;
  /** What the event says it is about; a made-up paid session when left out. */
  object?: object;
}

/** Posts a bad event and says what it was answered. */
export async function forge(
  world: World,
  deliveries: Deliveries,
  kind: Forgery,
  ask: ForgeAsk = {},
): Promise<PostAnswer & { eventId: string }> {
  const endpoint: Endpoint | null =
    ask.to === 'account' ? deliveries.accountEndpoint : deliveries.connectEndpoint;
  if (!endpoint) throw new Error('There is no endpoint to post to');
  const known = ask.account ?? world.accounts.keys().next().value ?? world.newId('account');
  const account = kind === 'other-account' && !ask.account ? world.newId('account') : known;
  const event = ask.to === 'account' ? thin(world, account, ask) : snapshot(world, account, ask);
  event.livemode = kind === 'wrong-mode';

  const body = JSON.stringify(event, null, 2);
  const now = wallSeconds();
  const secret = kind === 'wrong-signature' ? 'whsec_somebody_elses' : endpoint.secret;
  const header =
    kind === 'no-signature'
      ? ''
      : signatureHeader(body, secret, kind === 'stale' ? now - 3_600 : now);
  const sent = kind === 'tampered' ? body.replace('{', '{ ') : body;
  const answer = await deliveries.postOnce(endpoint, sent, header);
  return { ...answer, eventId: event.id };
}

function snapshot(world: World, account: string, ask: ForgeAsk): SnapshotEvent {
  return {
    id: world.newId('event'),
    object: 'event',
    account,
    api_version: API_VERSION,
    created: world.clock.seconds(),
    data: {
      object: ask.object ?? {
        id: world.newId('session'),
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

function thin(world: World, account: string, ask: ForgeAsk): ThinEvent {
  return {
    id: world.newId('thinEvent'),
    object: 'v2.core.event',
    context: account,
    created: world.clock.iso(),
    livemode: false,
    related_object: {
      id: account,
      type: 'v2.core.account',
      url: `/v2/core/accounts/${account}`,
    },
    type: ask.type ?? 'v2.core.account[requirements].updated',
  };
}
