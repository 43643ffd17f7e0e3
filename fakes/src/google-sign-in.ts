import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { createConfiguration, type SignInClient } from './openid/configure-oidc-provider.ts';
import { type Person, parsePerson } from './openid/person.ts';
import { renderChooserPage } from './openid/render-account-chooser-page.ts';
import { sendHtml } from './shared/http-request-and-reply.ts';

export interface SignInProviderOptions {
  /** Defaults to a free port. */
  port?: number;
  client?: Partial<Omit<SignInClient, 'redirectUris'>>;
  /** Allowed redirect URIs. */
  redirectUris: string[];
}

export interface SignInProvider {
  /** The issuer in the ID tokens. */
  url: string;
  client: SignInClient;
  close: () => Promise<void>;
}

/** Fakes Google sign-in: a real OpenID provider with an account chooser page. */
export async function startSignInProvider(options: SignInProviderOptions): Promise<SignInProvider> {
  const client: SignInClient = {
    id: 'lessonbook-sign-in.apps.googleusercontent.com',
    secret: 'GOCSPX-lessonbook-sign-in',
    ...options.client,
    redirectUris: options.redirectUris,
  };
  const people = new Map<string, Person>();
  const server = createServer((request, reply) => {
    handleRequest(request, reply).catch((error: unknown) => {
      console.error('Fake Google sign-in failed:', error);
      reply.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, createConfiguration(client, people));
  const handleOidc = provider.callback();

  async function handleRequest(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', url).pathname;
    if (!path.startsWith('/choose/')) return handleOidc(request, reply);
    if (request.method !== 'POST')
      return sendHtml(reply, 200, renderChooserPage(path, [...people.values()].slice(-5)));
    const form = new URLSearchParams(await readBody(request));
    await choose(request, reply, form);
  }

  async function choose(
    request: IncomingMessage,
    reply: ServerResponse,
    form: URLSearchParams,
  ): Promise<void> {
    if (form.get('choice') !== 'continue') {
      const error = { error: 'access_denied', error_description: 'The user pressed Cancel' };
      return provider.interactionFinished(request, reply, error, {
        mergeWithLastSubmission: false,
      });
    }
    const person = people.get(form.get('known') ?? '') ?? parsePerson(form);
    people.set(person.sub, person);
    const grant = new provider.Grant({ accountId: person.sub, clientId: client.id });
    grant.addOIDCScope('openid email profile');
    const result = {
      select_account: {},
      login: { accountId: person.sub, remember: false },
      consent: { grantId: await grant.save() },
    };
    await provider.interactionFinished(request, reply, result, { mergeWithLastSubmission: false });
  }

  return {
    url,
    client,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
