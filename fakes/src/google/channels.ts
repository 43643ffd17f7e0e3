import type { calendar_v3 } from '@googleapis/calendar';
import { HttpPoster } from '../shared/http-post.ts';
import type { RandomSource } from '../shared/seeded-random-and-ids.ts';
import {
  DeliveryQueue,
  type DeliverySettings,
  type QueuedMessage,
} from '../shared/webhook-delivery.ts';
import { ApiError, invalid, required } from './error-response.ts';
import type { GoogleState, StoredCalendar } from './state.ts';

export interface Channel {
  id: string;
  user: string;
  calendarId: string;
  /** The same for every channel that watches this calendar. */
  resourceId: string;
  resourceUri: string;
  token: string | null;
  address: string;
  expiresAt: number;
  /** Number of messages sent so far. */
  messages: number;
}

interface ChannelMessage {
  channel: Channel;
  state: 'sync' | 'exists';
  number: number;
}

export interface ChannelDelivery {
  channelId: string;
  user: string;
  calendarId: string;
  state: 'sync' | 'exists';
  messageNumber: number;
  url: string;
  copy: number;
  attempt: number;
  /** Null if there was no response. */
  status: number | null;
}

const DAY = 86_400_000;
const DEFAULT_TTL = 7 * DAY;
const MAX_TTL = 30 * DAY;
/** Google retries after these statuses and after connection errors (null); any other error is final. */
const RETRYABLE_STATUSES = new Set<number | null>([null, 500, 502, 503, 504]);

/** Push notification channels and the messages sent to them. */
export class Channels {
  httpsOnly = false;
  readonly queue: DeliveryQueue<ChannelMessage>;
  private readonly openChannels = new Map<string, Channel>();
  private readonly resourceIds = new Map<string, string>();
  private readonly sent: ChannelDelivery[] = [];
  private readonly poster = new HttpPoster();
  private readonly state: GoogleState;

  constructor(state: GoogleState, random: RandomSource) {
    this.state = state;
    this.queue = new DeliveryQueue<ChannelMessage>(random, (queued, timeout) =>
      this.deliver(queued, timeout),
    );
  }

  get settings(): DeliverySettings {
    return this.queue.settings;
  }

  /** Opens a channel and sends the initial `sync` message. */
  watch(
    user: string,
    calendar: StoredCalendar,
    body: calendar_v3.Schema$Channel,
  ): calendar_v3.Schema$Channel {
    const { id, address, token } = this.validate(body);
    const channel: Channel = {
      id,
      user,
      calendarId: calendar.id,
      resourceId: this.getResourceId(calendar),
      resourceUri: `${this.state.baseUrl}/calendar/v3/calendars/${encodeURIComponent(calendar.id)}/events?alt=json`,
      token,
      address,
      expiresAt: this.parseExpiry(body),
      messages: 0,
    };
    this.openChannels.set(id, channel);
    this.enqueueMessage(channel, 'sync');
    return {
      kind: 'api#channel',
      id,
      resourceId: channel.resourceId,
      resourceUri: channel.resourceUri,
      ...(token === null ? {} : { token }),
      expiration: String(channel.expiresAt),
    };
  }

  stop(user: string, body: calendar_v3.Schema$Channel): void {
    const { id, resourceId } = body;
    if (!id) throw required('Required: id');
    if (!resourceId) throw required('Required: resourceId');
    const channel = this.active().find((each) => each.id === id);
    if (!channel || channel.user !== user || channel.resourceId !== resourceId) {
      const message = `Channel '${id}' not found for project 'lessonbook'`;
      throw new ApiError({ status: 404, reason: 'notFound', message });
    }
    this.openChannels.delete(id);
  }

  /** Channels are notified even after the user has revoked access: they stay open until they expire. */
  notifyChange(calendar: StoredCalendar): void {
    for (const channel of this.active()) {
      if (channel.calendarId === calendar.id) this.enqueueMessage(channel, 'exists');
    }
  }

  active(): Channel[] {
    const now = this.state.clock.millis();
    return [...this.openChannels.values()].filter(({ expiresAt }) => expiresAt > now);
  }

  dropAll(): number {
    const count = this.active().length;
    this.openChannels.clear();
    return count;
  }

  log(): ChannelDelivery[] {
    return [...this.sent];
  }

  close(): void {
    this.queue.close();
    this.poster.close();
  }

  private validate({ id, type, address, token }: calendar_v3.Schema$Channel) {
    if (!id) throw required('Required: id');
    if (!/^[\w\-+/=]{1,64}$/.test(id)) throw invalid('Invalid channel id', 'id');
    if (type !== 'web_hook' && type !== 'webhook') throw invalid('Unknown channel type.', 'type');
    if (!address || !URL.canParse(address)) throw required('Required: address');
    if (this.httpsOnly && !address.startsWith('https:')) {
      throw new ApiError({
        status: 400,
        reason: 'push.webhookUrlNotHttps',
        message: `WebHook callback must be HTTPS: ${address}`,
      });
    }
    if ((token?.length ?? 0) > 256) throw invalid('Channel token is too long', 'token');
    if (this.active().some((each) => each.id === id)) {
      throw new ApiError({
        status: 400,
        reason: 'channelIdNotUnique',
        message: `Channel id ${id} not unique`,
      });
    }
    return { id, address, token: token ?? null };
  }

  private parseExpiry({ expiration, params }: calendar_v3.Schema$Channel): number {
    const now = this.state.clock.millis();
    const seconds = Number(params?.['ttl']);
    const ttl = seconds > 0 ? seconds * 1000 : DEFAULT_TTL;
    const requested = expiration ? Number(expiration) : now + ttl;
    if (!(requested > now)) throw invalid('Invalid channel expiration', 'expiration');
    // Rounded down to the second, as in the header.
    return Math.floor(Math.min(requested, now + MAX_TTL) / 1000) * 1000;
  }

  private getResourceId({ id }: StoredCalendar): string {
    const resourceId = this.resourceIds.get(id) ?? this.state.newId('resource');
    this.resourceIds.set(id, resourceId);
    return resourceId;
  }

  private enqueueMessage(channel: Channel, state: ChannelMessage['state']): void {
    channel.messages += 1;
    this.queue.enqueue({ channel, state, number: channel.messages }, this.settings.copies);
  }

  private async deliver(
    queued: QueuedMessage<ChannelMessage>,
    timeout: number,
  ): Promise<'done' | 'retry'> {
    const { content, copy, attempt } = queued;
    const { channel, state, number } = content;
    const headers = {
      'user-agent': 'APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)',
      'X-Goog-Channel-ID': channel.id,
      'X-Goog-Channel-Expiration': new Date(channel.expiresAt).toUTCString(),
      'X-Goog-Resource-State': state,
      'X-Goog-Message-Number': String(number),
      'X-Goog-Resource-ID': channel.resourceId,
      'X-Goog-Resource-URI': channel.resourceUri,
      ...(channel.token === null ? {} : { 'X-Goog-Channel-Token': channel.token }),
    };
    const { status } = await this.poster.post(channel.address, '', headers, timeout);
    this.sent.push({
      channelId: channel.id,
      user: channel.user,
      calendarId: channel.calendarId,
      state,
      messageNumber: number,
      url: channel.address,
      copy,
      attempt,
      status,
    });
    return RETRYABLE_STATUSES.has(status) ? 'retry' : 'done';
  }
}
