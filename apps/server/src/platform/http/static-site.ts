import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** Without a web build, every path outside the API returns 404. */
export function serveApiOnly(fastify: FastifyInstance): void {
  fastify.setNotFoundHandler(async () => {
    throw notFoundError();
  });
}

const notFoundError = () => new AppError('not_found', 'There is nothing here.');

/** Serves the web build. Assets with a hash in their name are cached indefinitely; pages are never cached. */
export async function serveStaticSite(
  fastify: FastifyInstance,
  dist: string,
  { cookieName, serviceWorker }: { cookieName: string; serviceWorker: boolean },
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
  const pageFor = (path: string, hasLoginCookie: boolean): string => {
    const name = pageNameFor(path, hasLoginCookie);
    return existsSync(join(dist, name)) ? name : 'index.html';
  };

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
      !request.url.startsWith('/api/') &&
      !request.url.startsWith('/assets/');
    if (!isPage) throw notFoundError();
    reply.header('vary', 'Cookie');
    const [path = ''] = request.url.split('?');
    return reply.sendFile(pageFor(path, Boolean(request.cookies[cookieName])));
  });
}

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
