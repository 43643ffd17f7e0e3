import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WAIT_TIMEOUT_MS } from './shared/test-timeouts.ts';
import {
  type ApprovedTemplates,
  type TemplateRequest,
  validateRequest,
} from './whatsapp-request-validation.ts';
import { WhatsAppWebhooks } from './whatsapp-webhooks.ts';

/** An accepted message with the rendered text. */
export interface AcceptedMessage {
  id: string;
  to: string;
  template: string;
  text: string;
  reference: string;
  request: TemplateRequest;
  response: unknown;
}

/** 'done then reset' accepts the message and drops the connection before the response. */
export type WhatsAppFault = { status: number; code: number } | 'hang' | 'reset' | 'done then reset';

export interface WhatsAppOptions {
  templates: ApprovedTemplates['templates'];
  authenticationTemplates?: ApprovedTemplates['authenticationTemplates'];
  language?: string;
}

export type FakeWhatsApp = Awaited<ReturnType<typeof startWhatsApp>>;

const ACCOUNT = {
  phoneNumberId: '106540352242922',
  token: 'fake-access-token',
  appSecret: '0123456789abcdef0123456789abcdef',
  verifyToken: 'fake-verify-token',
};

/** Fakes the part of WhatsApp's Cloud API that we use, over real HTTP, with strict validation and injectable faults. */
export async function startWhatsApp(options: WhatsAppOptions) {
  const { templates, authenticationTemplates = {}, language = 'en_GB' } = options;
  const accepted: AcceptedMessage[] = [];
  const faults: WhatsAppFault[] = [];
  const hanging = new Set<ServerResponse>();
  const listeners = new Set<() => void>();
  let requestCount = 0;

  function accept(request: TemplateRequest): unknown {
    const id = `wamid.${Buffer.from(`${request.to}/${accepted.length + 1}`).toString('base64')}`;
    const response = {
      messaging_product: 'whatsapp',
      contacts: [{ input: request.to, wa_id: request.to }],
      messages: [{ id, message_status: 'accepted' }],
    };
    const { name } = request.template;
    const [body] = request.template.components;
    const text = (templates[name] ?? authenticationTemplates[name] ?? '').replaceAll(
      /\{\{(\d)\}\}/g,
      (_, at: string) => body?.parameters[Number(at) - 1]?.text ?? '',
    );
    const reference = request.biz_opaque_callback_data ?? '';
    accepted.push({ id, to: request.to, template: name, text, reference, request, response });
    for (const listener of listeners) listener();
    return response;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method !== 'POST' || request.url !== `/v25.0/${ACCOUNT.phoneNumberId}/messages`) {
      return send(404, createGraphError(100, 'Unsupported request'));
    }
    requestCount += 1;
    if (request.headers.authorization !== `Bearer ${ACCOUNT.token}`) {
      return send(401, createGraphError(190, 'Invalid OAuth access token'));
    }
    const fault = faults.shift();
    if (fault === 'hang') return void hanging.add(response);
    if (fault === 'reset') return void request.socket.resetAndDestroy();
    if (typeof fault === 'object') {
      return send(fault.status, createGraphError(fault.code, 'Injected failure'));
    }
    const invalid = validateRequest(raw, { templates, authenticationTemplates, language });
    if (invalid) return send(400, createGraphError(invalid.code, invalid.details));
    const result = accept(JSON.parse(raw) as TemplateRequest);
    if (fault === 'done then reset') return void request.socket.resetAndDestroy();
    send(200, result);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v25.0`;

  return {
    url,
    account: ACCOUNT,
    /** Environment variables that make our server use this fake. */
    environment: {
      WHATSAPP_URL: url,
      WHATSAPP_PHONE_NUMBER_ID: ACCOUNT.phoneNumberId,
      WHATSAPP_TOKEN: ACCOUNT.token,
      WHATSAPP_APP_SECRET: ACCOUNT.appSecret,
      WHATSAPP_VERIFY_TOKEN: ACCOUNT.verifyToken,
      WHATSAPP_TEMPLATE_LANGUAGE: language,
    },
    webhooks: new WhatsAppWebhooks(ACCOUNT),
    accepted: () => [...accepted],
    /** Number of send requests, accepted or not. */
    requestCount: () => requestCount,
    /** Queues faults for the next requests, one each. */
    addFaults: (...added: WhatsAppFault[]) => void faults.push(...added),
    /** Discards faults that have not been used. */
    clearFaults: () => void faults.splice(0),
    /** Returns the first matching message, waiting up to `ms`. */
    waitFor: (predicate: (message: AcceptedMessage) => boolean, ms = WAIT_TIMEOUT_MS) =>
      new Promise<AcceptedMessage>((resolve, reject) => {
        const check = () => {
          const found = accepted.find(predicate);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve(found);
        };
        const timer = setTimeout(() => {
          listeners.delete(check);
          reject(
            new Error(`No matching WhatsApp message within ${ms} ms; ${accepted.length} accepted`),
          );
        }, ms);
        listeners.add(check);
        check();
      }),
    stop: async () => {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const createGraphError = (code: number, details: string) => ({
  error: {
    message: `(#${code}) ${details}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details },
    fbtrace_id: 'FakeTraceId',
  },
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
