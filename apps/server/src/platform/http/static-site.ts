import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { isApiRequest, requestPath } from './decoded-request-path.ts';
import { escapeHtml } from './escape-html.ts';
import type { PageDescription } from './public-page-metadata.ts';

/** Without a web build, every path outside the API returns 404. */
export function serveApiOnly(fastify: FastifyInstance): void {
  fastify.setNotFoundHandler(async () => {
    throw notFoundError();
  });
}

const notFoundError = () => new AppError('not_found', "We couldn't find that.");

interface StaticSiteOptions {
  origin: string;
  cookieName: string;
  serviceWorker: boolean;
  /** Returns null for pages of the app; all other pages are for families and have their own HTML files. */
  describePage: (
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<PageDescription | null>;
}

/** Serves the web build. Assets with a hash in their name are cached indefinitely; pages are never cached. */
export async function serveStaticSite(
  fastify: FastifyInstance,
  dist: string,
  { origin, cookieName, serviceWorker, describePage }: StaticSiteOptions,
): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: dist,
    index: false,
    // Hidden files left behind by a build or a copy must not be served.
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cacheControlFor(relative(dist, path)));
    },
  });
  /** Falls back to `index.html` if the build does not contain the extra pages. */
  const existing = (name: string) => (existsSync(join(dist, name)) ? name : 'index.html');
  const pageFor = (path: string, hasLoginCookie: boolean): string =>
    existing(pageNameFor(path, hasLoginCookie));

  // Visitors without a login cookie get the prerendered landing page.
  fastify.get('/', async (request, reply) => {
    reply.header('vary', 'Cookie');
    return reply.sendFile(pageFor('/', Boolean(request.cookies[cookieName])));
  });

  // Browsers check for an updated worker on every visit; this script replaces the old worker and unregisters itself.
  if (!serviceWorker) {
    fastify.get('/service-worker.js', async (_request, reply) => reply.sendFile('unregister.js'));
  }

  // All other paths are handled by the router in the browser, which also shows the 404 page.
  fastify.setNotFoundHandler(async (request, reply) => {
    const isPage =
      request.method === 'GET' &&
      !isApiRequest(request) &&
      !requestPath(request).startsWith('/assets/');
    if (!isPage) throw notFoundError();
    reply.header('vary', 'Cookie');
    const path = requestPath(request);
    const page = await describePage(path, request, reply);
    if (page === null) return reply.sendFile(pageFor(path, Boolean(request.cookies[cookieName])));
    const html = await readFile(join(dist, existing(page.file ?? 'link.html')), 'utf8');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(addPageDescription(html, page, origin));
  });
}

/**
 * Replaces the title and description of the site with those of the page, for link previews and until the scripts have
 * loaded, and adds its data.
 */
function addPageDescription(html: string, page: PageDescription, origin: string): string {
  const [title, description] = [escapeHtml(page.title), escapeHtml(page.description)];
  const head = `<title>${title} | Lessonbook</title>
    <meta name="description" content="${description}" />
    <meta name="robots" content="noindex" />
    <meta property="og:site_name" content="Lessonbook" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${origin}/icons/icon-512.png" />
    <meta name="twitter:card" content="summary" />`;
  // Padding, because a margin would also move the body, and the page would jump when the heading is replaced.
  const heading = `<h1 style="margin: 0; padding: 15vh 1rem 0; text-align: center; font-size: 1.5rem">${title}</h1>`;
  return html
    .replace(/<meta\s+name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => head)
    .replace(/<div id="root"[^>]*>/, (root) => (page.hasHeading ? root : root + heading))
    .replace('</body>', (end) => (page.data ? toDataBlock(page.data) + end : end))
    .replace(
      /<noscript>[^<]*<\/noscript>/,
      '<noscript>Please turn on JavaScript to see this page.</noscript>',
    );
}

/**
 * The content security policy does not apply, because this is not a script. Every '<' is escaped, because it could end
 * the element.
 */
const toDataBlock = ({ id, content }: NonNullable<PageDescription['data']>): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(content).replaceAll('<', String.raw`\u003c`)}</script>`;

/** Chooses the HTML file that preloads the right chunks; the router decides what to show. */
function pageNameFor(path: string, hasLoginCookie: boolean): string {
  if (hasLoginCookie) return path === '/' || path === '/dashboard' ? 'home.html' : 'index.html';
  if (path === '/') return 'landing.html';
  return path === '/login' ? 'login.html' : 'visitor.html';
}

/** Set here because @fastify/static would overwrite a header set earlier. */
function cacheControlFor(file: string): string {
  if (file.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return /\.html(\.\w+)?$/.test(file) ? 'no-store' : 'no-cache';
}
