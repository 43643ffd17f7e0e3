import { createHmac } from 'node:crypto';

type Status = 'sent' | 'delivered' | 'read' | 'failed';

interface Account {
  phoneNumberId: string;
  appSecret: string;
  verifyToken: string;
}

export interface StatusUpdate {
  /** An accepted message, or one that our server did not send. */
  message: { id: string; to: string; reference: string };
  status: Status;
  /** Error code of a failed message. */
  code?: number;
}

/** Monday 16 November 2026 at 12:00 UTC, in seconds; each webhook is one second later than the one before. */
const FIRST_SECOND = 1_794_830_400;

/** WhatsApp's webhooks: signed, in batches, out of order and repeated. */
export class WhatsAppWebhooks {
  readonly #account: Account;
  #seconds = FIRST_SECOND;

  constructor(account: Account) {
    this.#account = account;
  }

  statuses(updates: readonly StatusUpdate[], phoneNumberId = this.#account.phoneNumberId): object {
    return this.#webhook(phoneNumberId, { statuses: updates.map((each) => this.#status(each)) });
  }

  /** `at` is in seconds and defaults to one second after the last webhook. */
  message(from: string, text: string, at = this.#next()): object {
    return this.#webhook(this.#account.phoneNumberId, {
      contacts: [{ profile: { name: 'Carer' }, wa_id: from, user_id: 'GB.13491208655302741918' }],
      messages: [
        { from, id: `wamid.from.${at}`, timestamp: String(at), type: 'text', text: { body: text } },
      ],
    });
  }

  /** Signs the exact body that is sent, as Meta does. */
  async deliver(url: string, payload: object | string, secret?: string): Promise<Response> {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': this.sign(body, secret),
      },
      body,
    });
  }

  sign(body: string, secret = this.#account.appSecret): string {
    return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  }

  /** Sends each update twice, one per webhook, in an order that depends only on the seed. */
  async deliverShuffled(
    url: string,
    updates: readonly StatusUpdate[],
    seed: number,
  ): Promise<number[]> {
    const all = [...updates, ...updates];
    let random = seed;
    for (let index = all.length - 1; index > 0; index -= 1) {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      const swapWith = random % (index + 1);
      [all[index], all[swapWith]] = [all[swapWith] as StatusUpdate, all[index] as StatusUpdate];
    }
    const statuses: number[] = [];
    for (const update of all)
      statuses.push((await this.deliver(url, this.statuses([update]))).status);
    return statuses;
  }

  /** Meta's verification request for the webhook URL. */
  async verify(url: string, token = this.#account.verifyToken, mode = 'subscribe') {
    const query = new URLSearchParams({
      'hub.mode': mode,
      'hub.verify_token': token,
      'hub.challenge': '1158201444',
    });
    return fetch(`${url}?${query.toString()}`);
  }

  #next(): number {
    this.#seconds += 1;
    return this.#seconds;
  }

  #status({ message, status, code }: StatusUpdate): object {
    const common = {
      id: message.id,
      status,
      timestamp: String(this.#next()),
      recipient_id: message.to,
    };
    if (status === 'failed') {
      const title = 'Message undeliverable';
      return {
        ...common,
        errors: [
          {
            code: code ?? 131026,
            title,
            message: title,
            error_data: { details: 'Injected failure' },
            href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
          },
        ],
      };
    }
    return {
      ...common,
      biz_opaque_callback_data: message.reference,
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    };
  }

  #webhook(phoneNumberId: string, content: object): object {
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
      ...content,
    };
    return {
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', changes: [{ value, field: 'messages' }] }],
    };
  }
}
