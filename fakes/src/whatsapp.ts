import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WAIT_CEILING_MS } from './shared/ceiling.ts';
import { type TemplateRequest, validateRequest } from './whatsapp-request.ts';
import { WhatsAppWebhooks } from './whatsapp-webhooks.ts';

/** A message as WhatsApp took it, and the text that its owner reads. */
export interface AcceptedMessage {
  id: string;
  to: string;
  template: string;
  text: string;
  reference: string;
  request: TemplateRequest;
  answer: unknown;
}

/** 'done' takes the message and loses the answer: what a crash at the wrong moment looks like from outside. */
export type WhatsAppFault = { status: number; code: number } | 'hang' | 'reset' | 'done then reset';

export interface WhatsAppOptions {
  /** The approved wording by name, with {{1}} for each parameter. */
  templates: Readonly<Record<string, string>>;
  language?: string;
}

export type FakeWhatsApp = Awaited<ReturnType<typeof startWhatsApp>>;

const ACCOUNT = {
  phoneNumberId: '106540352242922',
  token: 'a-token-of-the-stand-in',
  appSecret: '0123456789abcdef0123456789abcdef',
  verifyToken: 'a-word-of-our-own-choice',
};

/** WhatsApp's Cloud API as far as we use it: real HTTP, strict about what it takes, and as unreliable as it is told to be. */
export async function startWhatsApp(options: WhatsAppOptions) {
  const language = options.language ?? 'en_GB';
  const taken: AcceptedMessage[] = [];
  const troubles: WhatsAppFault[] = [];
  const hanging = new Set<ServerResponse>();
  const listeners = new Set<() => void>();
  let asked = 0;

  function take(request: TemplateRequest): unknown {
    const id = `wamid.${Buffer.from(`${request.to}/${taken.length + 1}`).toString('base64')}`;
    const answer = {
      messaging_product: 'whatsapp',
      contacts: [{ input: request.to, wa_id: request.to }],
      messages: [{ id, message_status: 'accepted' }],
    };
    const { name } = request.template;
    const [body] = request.template.components;
    const text = (options.templates[name] ?? '').replaceAll(
      /\{\{(\d)\}\}/g,
      (_, at: string) => body?.parameters[Number(at) - 1]?.text ?? '',
    );
    const reference = request.biz_opaque_callback_data ?? '';
    taken.push({ id, to: request.to, template: name, text, reference, request, answer });
    for (const listener of listeners) listener();
    return answer;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request);
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method !== 'POST' || request.url !== `/v25.0/${ACCOUNT.phoneNumberId}/messages`) {
      return say(404, graphError(100, 'Unsupported request'));
    }
    asked += 1;
    if (request.headers.authorization !== `Bearer ${ACCOUNT.token}`) {
      return say(401, graphError(190, 'Invalid OAuth access token'));
    }
    const trouble = troubles.shift();
    if (trouble === 'hang') return void hanging.add(response);
    if (trouble === 'reset') return void request.socket.resetAndDestroy();
    if (typeof trouble === 'object') {
      return say(trouble.status, graphError(trouble.code, 'Trouble as ordered'));
    }
    const fault = validateRequest(raw, { templates: options.templates, language });
    if (fault) return say(400, graphError(fault.code, fault.details));
    const done = take(JSON.parse(raw) as TemplateRequest);
    if (trouble === 'done then reset') return void request.socket.resetAndDestroy();
    say(200, done);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v25.0`;

  return {
    url,
    account: ACCOUNT,
    /** What a server of ours is told to use it. */
    environment: {
      WHATSAPP_URL: url,
      WHATSAPP_PHONE_NUMBER_ID: ACCOUNT.phoneNumberId,
      WHATSAPP_TOKEN: ACCOUNT.token,
      WHATSAPP_APP_SECRET: ACCOUNT.appSecret,
      WHATSAPP_VERIFY_TOKEN: ACCOUNT.verifyToken,
      WHATSAPP_TEMPLATE_LANGUAGE: language,
    },
    webhooks: new WhatsAppWebhooks(ACCOUNT),
    taken: () => [...taken],
    /** How often a message was brought, taken or not. */
    asked: () => asked,
    /** The next calls meet these, one each. */
    trouble: (...coming: WhatsAppFault[]) => void troubles.push(...coming),
    /** Forgets those that no call has met. */
    clearTrouble: () => void troubles.splice(0),
    /** The first message that fits, now or within `ms`. */
    waitFor: (predicate: (message: AcceptedMessage) => boolean, ms = WAIT_CEILING_MS) =>
      new Promise<AcceptedMessage>((resolve, reject) => {
        const look = () => {
          const found = taken.find(predicate);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          listeners.delete(look);
          reject(new Error(`No such WhatsApp message within ${ms} ms; ${taken.length} were taken`));
        }, ms);
        listeners.add(look);
        look();
      }),
    stop: async () => {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const graphError = (code: number, details: string) => ({
  error: {
    message: `(#${code}) ${details}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details },
    fbtrace_id: 'AStandIn',
  },
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
