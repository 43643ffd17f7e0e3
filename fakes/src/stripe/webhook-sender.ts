import { HttpPoster } from '../shared/http-post.ts';
import type { RandomSource } from '../shared/seeded-random-and-ids.ts';
import {
  DeliveryQueue,
  type DeliverySettings,
  type QueuedMessage,
} from '../shared/webhook-delivery.ts';
import { type AnyEvent, isThin } from './event-types.ts';
import { realTimeSeconds, signatureHeader } from './signature.ts';
import { type Delivery, type Endpoint, isSubscribed } from './webhook-subscriptions.ts';

interface WebhookMessage {
  event: AnyEvent;
  body: string;
  endpoint: Endpoint;
}

/** The payload sent to an endpoint. */
export function toPayload(event: AnyEvent): object {
  if (!isThin(event)) return event;
  const { data: _data, ...notification } = event;
  return notification;
}

/** Sends events to the endpoints, with retries. */
export class WebhookSender {
  accountEndpoint: Endpoint | null = null;
  connectEndpoint: Endpoint | null = null;
  private readonly sent: Delivery[] = [];
  private readonly poster = new HttpPoster();
  private readonly queue: DeliveryQueue<WebhookMessage>;

  constructor(random: RandomSource) {
    this.queue = new DeliveryQueue<WebhookMessage>(random, (queued, timeout) =>
      this.deliver(queued, timeout),
    );
  }

  get settings(): DeliverySettings {
    return this.queue.settings;
  }

  set settings(settings: DeliverySettings) {
    this.queue.settings = settings;
  }

  sendIfSubscribed(event: AnyEvent): void {
    const endpoint = this.endpointFor(event);
    if (endpoint && isSubscribed(endpoint, event)) this.send(event, endpoint, this.settings.copies);
  }

  /** Resends an event even if the endpoint is not subscribed to its type, as Stripe's dashboard can. */
  resend(event: AnyEvent): void {
    const endpoint = this.endpointFor(event);
    if (endpoint) this.send(event, endpoint, 1);
  }

  endpointFor(event: AnyEvent): Endpoint | null {
    return isThin(event) ? this.accountEndpoint : this.connectEndpoint;
  }

  log(): Delivery[] {
    return [...this.sent];
  }

  hold(): void {
    this.queue.hold();
  }

  release(): void {
    this.queue.release();
  }

  whenIdle(): Promise<void> {
    return this.queue.whenIdle();
  }

  /** Posts a forged event without retries and returns the response. */
  async postOnce(endpoint: Endpoint, body: string, signature: string) {
    return this.post(endpoint, body, signature, this.settings.timeout);
  }

  close(): void {
    this.queue.close();
    this.poster.close();
  }

  private send(event: AnyEvent, endpoint: Endpoint, copies: number): void {
    const body = JSON.stringify(toPayload(event), null, 2);
    this.queue.enqueue({ event, body, endpoint }, copies);
  }

  private async deliver(
    queued: QueuedMessage<WebhookMessage>,
    timeout: number,
  ): Promise<'done' | 'retry'> {
    const { content, copy, attempt } = queued;
    const { event, body, endpoint } = content;
    const signature = signatureHeader(body, endpoint.secret, realTimeSeconds());
    const response = await this.post(endpoint, body, signature, timeout);
    this.sent.push({
      eventId: event.id,
      type: event.type,
      account: (isThin(event) ? event.context : event.account) ?? null,
      url: endpoint.url,
      copy,
      attempt,
      status: response.status,
      responseText: response.text,
    });
    const isAccepted = response.status !== null && response.status >= 200 && response.status < 300;
    return isAccepted ? 'done' : 'retry';
  }

  private post({ url }: Endpoint, body: string, signature: string, timeout: number) {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signature,
    };
    return this.poster.post(url, body, headers, timeout);
  }
}
