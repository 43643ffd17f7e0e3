import { createHmac } from 'node:crypto';

type Status = 'sent' | 'delivered' | 'read' | 'failed';

interface Account {
  phoneNumberId: string;
  appSecret: string;
  verifyToken: string;
}

export interface StatusUpdate {
  /** A message that was taken, or one that the server never heard of. */
  message: { id: string; to: string; reference: string };
  status: Status;
  /** Why it failed. */
  code?: number;
}

/** Monday 16 November 2026, in seconds; each piece of news comes a second later. */
const FIRST_SECOND = 1_794_830_400;

/** What WhatsApp tells a server by itself: signed, in batches, in any order, and more than once. */
export class WhatsAppWebhooks {
  readonly #account: Account;
  #seconds = FIRST_SECOND;

  constructor(account: Account) {
    this.#account = account;
  }

  statuses(updates: readonly StatusUpdate[], phoneNumberId = this.#account.phoneNumberId): object {
    return this.#webhook(phoneNumberId, { statuses: updates.map((each) => this.#status(each)) });
  }

  /** `at` in seconds; later than everything before it when left out. */
  message(from: string, text: string, at = this.#next()): object {
    return this.#webhook(this.#account.phoneNumberId, {
      contacts: [{ profile: { name: 'Carer' }, wa_id: from, user_id: 'GB.13491208655302741918' }],
      messages: [
        { from, id: `wamid.from.${at}`, timestamp: String(at), type: 'text', text: { body: text } },
      ],
    });
  }

  /** Signed as Meta signs: over the very text that goes over the wire. */
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

  /** Each statement twice, in a webhook of its own, in an order that depends on the seed alone. */
  async deliverShuffled(
    url: string,
    updates: readonly StatusUpdate[],
    seed: number,
  ): Promise<number[]> {
    const all = [...updates, ...updates];
    let random = seed;
    for (let at = all.length - 1; at > 0; at -= 1) {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      const other = random % (at + 1);
      [all[at], all[other]] = [all[other] as StatusUpdate, all[at] as StatusUpdate];
    }
    const answers: number[] = [];
    for (const one of all) answers.push((await this.deliver(url, this.statuses([one]))).status);
    return answers;
  }

  /** The question whether the address is ours. */
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
    const about = {
      id: message.id,
      status,
      timestamp: String(this.#next()),
      recipient_id: message.to,
    };
    if (status === 'failed') {
      const title = 'Message undeliverable';
      return {
        ...about,
        errors: [
          {
            code: code ?? 131026,
            title,
            message: title,
            error_data: { details: 'Trouble as ordered' },
            href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
          },
        ],
      };
    }
    return {
      ...about,
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
