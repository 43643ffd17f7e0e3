import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** Without a built web app, every path outside the API is a 404. */
export function serveApiOnly(fastify: FastifyInstance): void {
  fastify.setNotFoundHandler(async () => {
    throw notFoundError();
  });
}

const notFoundError = () => new AppError('not_found', 'There is nothing here.');

/** Serves the built web app: assets with a hash in their name are cached forever, pages never. */
export async function serveStaticSite(
  fastify: FastifyInstance,
  dist: string,
  { cookieName, serviceWorker }: { cookieName: string; serviceWorker: boolean },
): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: dist,
    index: false,
    // Hidden files left behind by a build or copy must not be served.
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cacheControlFor(relative(dist, path)));
    },
  });
  /** Falls back to `index.html` for a build without the extra pages. */
  const pageFor = (path: string, signedIn: boolean): string => {
    const name = pageNameFor(path, signedIn);
    return existsSync(join(dist, name)) ? name : 'index.html';
  };

  // Without a login cookie the prerendered landing page is served.
  fastify.get('/', async (request, reply) => {
    reply.header('vary', 'Cookie');
    return reply.sendFile(pageFor('/', Boolean(request.cookies[cookieName])));
  });

  // Browsers check for updates at every visit; this script unregisters itself and thereby the old worker.
  if (!serviceWorker) {
    fastify.get('/service-worker.js', async (_request, reply) => reply.sendFile('unregister.js'));
  }

  // All other paths belong to the router in the browser, which also has the 404 page.
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

/** Chooses the HTML file by the chunks it preloads; the router decides what is shown. */
function pageNameFor(path: string, signedIn: boolean): string {
  if (signedIn) return path === '/' || path === '/dashboard' ? 'home.html' : 'index.html';
  if (path === '/') return 'landing.html';
  return path === '/login' ? 'login.html' : 'visitor.html';
}

/** Set here because @fastify/static would override a header set earlier. */
function cacheControlFor(file: string): string {
  if (file.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return /\.html(\.\w+)?$/.test(file) ? 'no-store' : 'no-cache';
}
