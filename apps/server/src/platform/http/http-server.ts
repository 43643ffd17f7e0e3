import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import type { Endpoint, EndpointReply, EndpointRequest } from '@lessonbook/contract/endpoint';
import { ErrorBody } from '@lessonbook/contract/errors';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { loginRequired } from '../app-error.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { type IdempotencyKey, parseIdempotencyKey } from '../idempotency.ts';
import type { Log } from '../observability/log.ts';
import { observeRequests } from '../observability/request-logs-and-metrics.ts';
import {
  type AuthenticationOptions,
  authenticateContact,
  authenticateTutor,
  type Contact,
  type ContactLogin,
  type Login,
  setLoginCookie,
} from './authentication.ts';
import { clientNetwork } from './client-network.ts';
import {
  type CookieValue,
  DEVICE_COOKIE_SUFFIX,
  type LoginCookies,
  readPrefixedCookie,
  setPrefixedCookie,
} from './cookies.ts';
import { assertRecentAuth, assertSameOrigin } from './csrf-and-recent-auth-guards.ts';
import { handleError } from './error-handler.ts';
import {
  type EtagFileResponse,
  etagMatches,
  type FileResponse,
  type StreamedFileResponse,
  withCharset,
} from './file-responses.ts';
import { createSerializerCompiler, replySchema } from './reply-serializer.ts';
import { type RequestContext, runWithRequestContext } from './request-context.ts';
import {
  discardBody,
  parseInput,
  registerBodyParsers,
  rejectNullBytes,
} from './request-parsing.ts';
import { addRevisionHeader } from './revision-header.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { userAgentOf } from './user-agent.ts';

export type Call<E extends Endpoint> = EndpointRequest<E> & {
  readonly requestContext: RequestContext;
  readonly login: E['access'] extends 'login' ? Login : null;
  readonly contactLogin: E['access'] extends 'contact' | 'contact-login' ? ContactLogin : null;
  readonly contact: E['access'] extends 'contact' ? Contact : null;
  /** Set if the endpoint is idempotent and the request has a key. */
  readonly idempotencyKey: IdempotencyKey | null;
  /** The unparsed body, for signed endpoints. */
  readonly rawBody: string;
  readonly header: (name: string) => string;
  /** Sets the login cookies; null deletes the login cookie. */
  readonly setLoginCookie: (login: LoginCookies | null) => void;
  /** Reads a cookie that has the prefix of the login cookie; '' if it is missing. */
  readonly cookie: (name: string) => string;
  readonly setCookie: (name: string, content: CookieValue | null) => void;
};

interface HttpOptions extends AuthenticationOptions {
  readonly origin: string;
  readonly trustedProxies: string[];
  readonly log: Log;
}

const SSE_HEARTBEAT_MS = 25_000;
const BODY_LIMIT = 256 * 1024;
/** WhatsApp sends batches of up to this size, and JSON escaping makes uploaded files larger. */
const LARGE_BODY_LIMIT = 3 * 1024 * 1024;

/**
 * Registers the contract's endpoints. Resolves the cookie to a login, parses the input, and turns results into replies
 * and errors into error responses.
 */
export class HttpServer {
  readonly fastify: FastifyInstance;
  readonly endpoints: Endpoint[] = [];
  readonly #options: HttpOptions;
  readonly #streams = new Set<ServerResponse>();
  #stopping = false;

  private constructor(options: HttpOptions, fastify: FastifyInstance) {
    this.#options = options;
    this.fastify = fastify;
    // A keep-alive connection would delay shutdown until the browser closes it.
    fastify.addHook('onSend', async (_request, reply) => {
      if (this.#stopping) reply.header('connection', 'close');
    });
  }

  /** Stops accepting requests, ends the open streams and waits for in-flight requests. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const stream of this.#streams) stream.end();
    await this.fastify.close();
  }

  static async create(options: HttpOptions): Promise<HttpServer> {
    const fastify = Fastify({
      loggerInstance: options.log,
      // request-metrics.ts logs one line per request, without the URL.
      logController: new LogController({ disableRequestLogging: true }),
      bodyLimit: BODY_LIMIT,
      genReqId: () => randomUUID(),
      trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
      routerOptions: { maxParamLength: 300 },
      forceCloseConnections: 'idle',
      requestTimeout: 30_000,
    }) as unknown as FastifyInstance;
    fastify.setSerializerCompiler(await createSerializerCompiler());
    await fastify.register(cookie);
    registerBodyParsers(fastify);
    observeRequests(fastify);
    addSecurityHeaders(fastify, options);
    addRevisionHeader(fastify);
    fastify.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id);
    });
    fastify.setErrorHandler(async (error: { statusCode?: number }, request, reply) => {
      if (error.statusCode === 413) await discardBody(request.raw);
      return handleError(error, request, reply);
    });
    return new HttpServer(options, fastify);
  }

  on<E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<EndpointReply<E>>): void {
    const status = endpoint.status ?? 200;
    this.#route(
      endpoint,
      // Fastify serialises only the fields in the schema, so no other columns leak.
      { [status]: replySchema(endpoint.reply), default: replySchema(ErrorBody) },
      async (call: Call<E>, reply) => reply.status(status).send(await handle(call)),
    );
  }

  /** Registers an endpoint that returns a download. */
  onFile<E extends Endpoint>(
    endpoint: E,
    handle: (call: Call<E>) => Promise<FileResponse | StreamedFileResponse>,
  ): void {
    this.#route(endpoint, { default: replySchema(ErrorBody) }, async (call: Call<E>, reply) => {
      const { name, body } = await handle(call);
      return reply
        .type(withCharset(endpoint.file ?? 'application/octet-stream'))
        .header('content-disposition', `attachment; filename="${safeFileName(name)}"`)
        .send(body);
    });
  }

  /**
   * Registers an endpoint that returns a file with an ETag. Responds with 304, without reading the body, if the client
   * already has it.
   */
  onEtagFile<E extends Endpoint>(
    endpoint: E,
    handle: (call: Call<E>) => Promise<EtagFileResponse>,
  ): void {
    this.#route(endpoint, { default: replySchema(ErrorBody) }, async (call: Call<E>, reply) => {
      const { name, etag, readBody } = await handle(call);
      const headers = { etag: `"${etag}"`, 'cache-control': 'private, no-cache' };
      if (etagMatches(call.header('if-none-match'), headers.etag))
        return reply.status(304).headers(headers).send();
      const body = await readBody();
      return reply
        .headers({ ...headers, 'content-disposition': `inline; filename="${name}"` })
        .type(withCharset(endpoint.file ?? 'text/plain'))
        .send(body);
    });
  }

  /** Registers an endpoint that redirects to the returned URL. */
  onRedirect<E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<string>): void {
    this.#route(endpoint, { default: replySchema(ErrorBody) }, async (call: Call<E>, reply) =>
      reply.redirect(await handle(call), 303),
    );
  }

  /**
   * Registers a stream of server-sent events: each call to `send` writes an event with this text. `open` returns a cleanup
   * function that is called when the connection closes.
   */
  onStream<E extends Endpoint>(
    endpoint: E,
    open: (call: Call<E>, send: (text: string) => void) => () => void,
  ): void {
    this.#route(endpoint, { default: replySchema(ErrorBody) }, async (call: Call<E>, reply) => {
      const close = open(call, (text) => void reply.raw.write(`data: ${text}\n\n`));
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      });
      // A comment is sent immediately and then as a heartbeat, so that proxies keep the connection open.
      raw.write(':\n\n');
      const heartbeat = setInterval(() => raw.write(':\n\n'), SSE_HEARTBEAT_MS);
      this.#streams.add(raw);
      raw.on('close', () => {
        clearInterval(heartbeat);
        this.#streams.delete(raw);
        close();
      });
    });
  }

  #route<E extends Endpoint>(
    endpoint: E,
    response: Record<string, unknown>,
    respond: (call: Call<E>, reply: FastifyReply) => Promise<unknown>,
  ): void {
    this.endpoints.push(endpoint);
    this.fastify.route({
      method: endpoint.method,
      // Without the pattern, ":id" would also match "7.pdf".
      url: endpoint.path.replace(/:(\w+)\.(\w+)$/, ':$1(^[\\w-]+).$2'),
      schema: { response },
      // The event stream does not support HEAD.
      exposeHeadRoute: endpoint.file !== 'text/event-stream',
      config: {
        signed: endpoint.signed ?? false,
        allowCrossOrigin: endpoint.allowCrossOrigin ?? false,
      },
      bodyLimit: endpoint.signed || endpoint.largeBody ? LARGE_BODY_LIMIT : BODY_LIMIT,
      onRequest: async (request, reply) => {
        // Webhooks do not come from our origin and have no cookie; their signature is checked instead.
        const skipsOriginCheck =
          endpoint.method === 'GET' || endpoint.signed || endpoint.allowCrossOrigin;
        if (!skipsOriginCheck) assertSameOrigin(request, this.#options.origin);
        request.login = null;
        request.contactLogin = null;
        request.contact = null;
        if (endpoint.access === 'public') return;
        if (endpoint.access !== 'login') {
          await authenticateContact(this.#options, endpoint, request, reply);
          return;
        }
        const login = await authenticateTutor(this.#options, request, reply);
        request.login = login;
        if (login) assertRecentAuth(endpoint, login);
        else if (endpoint.redirects) await reply.redirect('/login', 303);
        else throw loginRequired();
      },
      handler: async (request, reply) => {
        const requestContext: RequestContext = {
          network: clientNetwork(request.ip),
          userAgent: userAgentOf(request),
          deviceToken: readPrefixedCookie(request, this.#options.cookie, DEVICE_COOKIE_SUFFIX),
          loginToken: request.cookies[this.#options.cookie.name] ?? '',
        };
        rejectNullBytes(request.params);
        rejectNullBytes(request.query);
        const call = {
          params: parseInput(endpoint.params, request.params),
          query: parseInput(endpoint.query, request.query),
          body: parseInput(endpoint.body, request.body),
          requestContext,
          login: request.login,
          contactLogin: request.contactLogin,
          contact: request.contact,
          idempotencyKey: parseIdempotencyKey(endpoint, request),
          rawBody: typeof request.body === 'string' ? request.body : '',
          header: (name: string) => String(request.headers[name] ?? ''),
          setLoginCookie: (login: LoginCookies | null) =>
            setLoginCookie(reply, this.#options.cookie, login),
          cookie: (suffix: string) => readPrefixedCookie(request, this.#options.cookie, suffix),
          setCookie: (suffix: string, content: CookieValue | null) =>
            setPrefixedCookie(reply, this.#options.cookie, suffix, content),
        } as Call<E>;
        request.requestContext = requestContext;
        return runWithRequestContext(requestContext, () => respond(call, reply));
      },
    });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    signed?: boolean;
    allowCrossOrigin?: boolean;
  }
}
