/**
 * The WhatsApp Cloud API. Meta has no SDK for Node, and we need only a single POST request. The API has no idempotency
 * key: if the response to an accepted message is lost, a retry sends the message again.
 */
export interface WhatsApp {
  /** Returns WhatsApp's message id, or throws a WhatsAppError. */
  send(message: TemplateMessage): Promise<string>;
}

export interface TemplateMessage {
  /** Digits only, including the country code. */
  readonly to: string;
  readonly template: string;
  readonly parameters: readonly string[];
  /** Only for an authentication template: the code that its button copies. */
  readonly copiedCode?: string;
  /** Returned in the status webhooks for this message. */
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
 * 'number': the number cannot receive messages. 'opted_out': the recipient has blocked our messages. 'message': this
 * message was permanently rejected. 'configuration': our token, account or templates are invalid. 'retryable': a retry
 * may succeed.
 */
export type FailureReason = 'number' | 'opted_out' | 'message' | 'configuration' | 'retryable';

/** Contains only the error code, because WhatsApp's error messages contain the phone number. */
export class WhatsAppError extends Error {
  readonly reason: FailureReason;
  /** WhatsApp's error code; null if there was none or no response. */
  readonly code: number | null;

  constructor(
    reason: FailureReason,
    code: number | null,
    options: { status?: number; cause?: unknown } = {},
  ) {
    const status = options.status ?? 'none';
    super(`WhatsApp failed (${reason}): code ${code ?? 'none'}, status ${status}`, {
      cause: options.cause,
    });
    this.name = 'WhatsAppError';
    this.reason = reason;
    this.code = code;
  }
}

const CODES_BY_REASON: Record<FailureReason, readonly number[]> = {
  number: [1013, 131021, 131026],
  opted_out: [131050],
  message: [100, 131008, 131009, 131051, 132000, 132005, 132012, 132018],
  configuration: [
    0, 3, 10, 33, 190, 368, 131005, 131030, 131031, 131037, 131042, 131045, 132001, 132007, 132015,
    132016, 133010,
  ],
  retryable: [1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131049, 131056, 131057, 133004],
};
const REASON_BY_CODE = new Map(
  Object.entries(CODES_BY_REASON).flatMap(([reason, codes]) =>
    codes.map((code) => [code, reason as FailureReason]),
  ),
);

/** Also classifies codes from webhooks, which have no HTTP status. */
export function classifyError(code: number | null, status?: number): FailureReason {
  const known = code === null ? undefined : REASON_BY_CODE.get(code);
  if (known) return known;
  // Codes from 200 to 299 mean that a permission is missing.
  if (code !== null && code >= 200 && code < 300) return 'configuration';
  if (status === 401 || status === 403) return 'configuration';
  if (status === undefined || status === 408 || status === 429 || status >= 500) return 'retryable';
  return 'message';
}

const TIMEOUT_MS = 10_000;

export function whatsAppCloud(account: Account): WhatsApp {
  const url = `${account.url}/${account.phoneNumberId}/messages`;
  return {
    send: async (message) => {
      const { status, body } = await post(url, account, toRequestBody(account, message));
      const id = body?.messages?.[0]?.id;
      if (status >= 200 && status < 300) {
        // A response without an id is from a proxy rather than from WhatsApp.
        if (!id) throw new WhatsAppError('retryable', null, { status });
        return id;
      }
      const code = body?.error?.code ?? null;
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
        ...(message.copiedCode === undefined ? [] : [copyCodeButton(message.copiedCode)]),
      ],
    },
    biz_opaque_callback_data: message.reference,
  });

/** Meta stores the button that copies a code as a link. */
const copyCodeButton = (code: string) => ({
  type: 'button',
  sub_type: 'url',
  index: '0',
  parameters: [{ type: 'text', text: code }],
});

interface GraphResponse {
  messages?: { id?: string }[];
  error?: { code?: number };
}

async function post(
  url: string,
  account: Account,
  body: string,
): Promise<{ status: number; body: GraphResponse | null }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body,
      // A redirect would send the token to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(account.timeoutMs ?? TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: parseJson(text) };
  } catch (cause) {
    throw new WhatsAppError('retryable', null, { cause });
  }
}

function parseJson(text: string): GraphResponse | null {
  try {
    return JSON.parse(text) as GraphResponse;
  } catch {
    return null;
  }
}
