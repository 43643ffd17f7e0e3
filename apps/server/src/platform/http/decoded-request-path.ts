import type { FastifyRequest } from 'fastify';

/** The path as the router sees it, without escapes: `/%61pi/me` is `/api/me`. */
export function requestPath(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

export const isApiRequest = (request: FastifyRequest): boolean =>
  requestPath(request).startsWith('/api/');
