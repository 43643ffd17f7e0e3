import type { Random } from '@lessonbook/server/src/test/model/random.ts';

type PathMutation = (method: string, path: string) => { method: string; path: string };

const withMethod =
  (method: string): PathMutation =>
  (_, path) => ({ method, path });

const withPath =
  (mutate: (path: string) => string): PathMutation =>
  (method, path) => ({ method, path: mutate(path) });

const MUTATIONS: readonly PathMutation[] = [
  ...['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'].map(
    withMethod,
  ),
  withPath((path) => `${path}/`),
  withPath((path) => `${path}//`),
  withPath((path) => path.toUpperCase()),
  withPath((path) => path.replace('/api/', '/API/')),
  withPath((path) => path.replace('/api/', '//api/')),
  withPath((path) => path.replace('/api/', '/api/./')),
  withPath((path) => path.replace('/api/', '/api/x/../')),
  withPath((path) => path.replace('/api/', '/api/%2e%2e/api/')),
  withPath((path) => path.replace('/api/', '/api%2f')),
  withPath((path) => path.replace('/api/', '/api;x=1/')),
  withPath((path) => `${path}.json`),
  withPath((path) => `${path};jsessionid=1`),
  withPath((path) => `${path}%00`),
  withPath((path) => `${path}%20`),
  withPath((path) => `${path}?id=1000001&tutorId=1000001`),
  withPath((path) => `${path}#x`),
  withPath((path) => path.replace(/\/[^/]*$/, '')),
  withPath((path) => path.replace(/\/[^/]*$/, '/all')),
  withPath((path) => path.replace(/\d+/, '*')),
  withPath((path) => path.replace(/\d+/, '1,2,3,1000001')),
  withPath((path) => path.replace(/\d+/, '%31')),
  withPath((path) => path.replace(/\d+/, '1%2f..%2f1000001')),
  withPath((path) => path.replace('/api/', '/api/admin/')),
  withPath((path) => path.replace('/api/', '/api/v1/')),
  withPath((path) => path.replace('/api/', '/internal/')),
];

/** Paths outside the web app and the API. */
const PRIVATE_PATHS = [
  '/../../../etc/passwd',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/../../package.json',
  '/assets/..%5c..%5cpackage.json',
  '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/.env',
  '/.git/config',
  '/package.json',
  '/src/api.ts',
  '/assets/index.js.map',
  '/index.html%00.txt',
  '/%c0%ae%c0%ae/etc/passwd',
  '/file:///etc/passwd',
  'http://127.0.0.1:5432/',
  '*',
  '/metrics',
  '/readyz',
  '/debug',
  '/graphql',
  '/server-status',
  '/api',
  '/api/',
  '/api/__proto__',
  '/api/constructor',
  '/api/students/constructor',
];

/** Returns a variation of a documented path. */
export function mutatePath(
  random: Random,
  method: string,
  path: string,
): { method: string; path: string } {
  if (random.chance(0.15)) return { method: 'GET', path: random.pick(PRIVATE_PATHS) };
  return random.pick(MUTATIONS)(method, path);
}
