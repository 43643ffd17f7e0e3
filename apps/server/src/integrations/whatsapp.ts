/**
 * WhatsApp's Cloud API in our own words. Meta keeps no SDK for Node, and the one call we need is one POST. There is no way to
 * name an attempt: a message that was taken and whose answer got lost is sent again by whoever tries again.
 */
export interface WhatsApp {
  /** Hands a message over and gives WhatsApp's id of it; throws a WhatsAppRefusal. */
  send(message: TemplateMessage): Promise<string>;
}

export interface TemplateMessage {
  /** Digits only, with the country's. */
  readonly to: string;
  readonly template: string;
  readonly parameters: readonly string[];
  /** Comes back with every news of this message. */
  readonly reference: string;
}

interface Account {
  readonly url: string;
  readonly phoneNumberId: string;
  readonly token: string;
  readonly templateLanguage: string;
  readonly timeoutMs?: number;
}

/**
 * Why it did not go. 'number': nothing reaches that number. 'opted out': the person wants no more. 'message': this one is
 * refused, and would be again. 'setup': our token, account or templates are not in order. 'later': worth another try.
 */
export type FailureReason = 'number' | 'opted out' | 'message' | 'setup' | 'later';

/** Holds a code and no word of the vendor's: their texts name the number. */
export class WhatsAppError extends Error {
  readonly reason: FailureReason;
  /** Theirs; none when they gave none, or there was no answer. */
  readonly code: number | null;

  constructor(
    reason: FailureReason,
    code: number | null,
    more: { status?: number; cause?: unknown } = {},
  ) {
    super(`WhatsApp refused (${reason}): code ${code ?? 'none'}, status ${more.status ?? 'none'}`, {
      cause: more.cause,
    });
    this.name = 'WhatsAppRefusal';
    this.reason = reason;
    this.code = code;
  }
}

const CODES: Record<FailureReason, readonly number[]> = {
  number: [1013, 131021, 131026],
  'opted out': [131050],
  message: [100, 131008, 131009, 131051, 132000, 132005, 132012, 132018],
  setup: [
    0, 3, 10, 33, 190, 368, 131005, 131030, 131031, 131037, 131042, 131045, 132001, 132007, 132015,
    132016, 133010,
  ],
  later: [1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131049, 131056, 131057, 133004],
};
const REASON_BY_CODE = new Map(
  Object.entries(CODES).flatMap(([reason, codes]) =>
    codes.map((code) => [code, reason as FailureReason]),
  ),
);

/** What a code of theirs means; also for the codes of a webhook, which come without a status. */
export function classifyError(code: number | null, status?: number): FailureReason {
  const known = code === null ? undefined : REASON_BY_CODE.get(code);
  if (known) return known;
  // A right that we were not given, or no longer.
  if (code !== null && code >= 200 && code < 300) return 'setup';
  if (status === 401 || status === 403) return 'setup';
  if (status === undefined || status === 408 || status === 429 || status >= 500) return 'later';
  return 'message';
}

const TIMEOUT_MS = 10_000;

export function whatsAppCloud(account: Account): WhatsApp {
  const address = `${account.url}/${account.phoneNumberId}/messages`;
  return {
    send: async (message) => {
      const { status, answer } = await post(address, account, toRequestBody(account, message));
      const id = answer?.messages?.[0]?.id;
      if (status >= 200 && status < 300) {
        // Not from WhatsApp, whatever it is: somebody on the way answered.
        if (!id) throw new WhatsAppError('later', null, { status });
        return id;
      }
      const code = answer?.error?.code ?? null;
      throw new WhatsAppError(classifyError(code, status), code, { status });
    },
  };
}

const toRequestBody = (account: Account, message: TemplateMessage): string =>
  JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.to,
    type: 'template',
    template: {
      name: message.template,
      language: { code: account.templateLanguage },
      components: [
        {
          type: 'body',
          parameters: message.parameters.map((text) => ({ type: 'text', text })),
        },
      ],
    },
    biz_opaque_callback_data: message.reference,
  });

interface GraphAnswer {
  messages?: { id?: string }[];
  error?: { code?: number };
}

async function post(
  address: string,
  account: Account,
  body: string,
): Promise<{ status: number; answer: GraphAnswer | null }> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body,
      // The token goes to the address that was configured and to no other.
      redirect: 'error',
      signal: AbortSignal.timeout(account.timeoutMs ?? TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, answer: readJson(text) };
  } catch (cause) {
    throw new WhatsAppError('later', null, { cause });
  }
}

function readJson(text: string): GraphAnswer | null {
  try {
    return JSON.parse(text) as GraphAnswer;
  } catch {
    return null;
  }
}
