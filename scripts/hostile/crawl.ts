import type { Random } from '@lessonbook/server/src/test/model/random.ts';

type Bend = (method: string, path: string) => { method: string; path: string };

const otherMethod =
  (method: string): Bend =>
  (_, path) => ({ method, path });

const at =
  (bend: (path: string) => string): Bend =>
  (method, path) => ({ method, path: bend(path) });

const BENDS: readonly Bend[] = [
  ...['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'].map(
    otherMethod,
  ),
  at((path) => `${path}/`),
  at((path) => `${path}//`),
  at((path) => path.toUpperCase()),
  at((path) => path.replace('/api/', '/API/')),
  at((path) => path.replace('/api/', '//api/')),
  at((path) => path.replace('/api/', '/api/./')),
  at((path) => path.replace('/api/', '/api/x/../')),
  at((path) => path.replace('/api/', '/api/%2e%2e/api/')),
  at((path) => path.replace('/api/', '/api%2f')),
  at((path) => path.replace('/api/', '/api;x=1/')),
  at((path) => `${path}.json`),
  at((path) => `${path};jsessionid=1`),
  at((path) => `${path}%00`),
  at((path) => `${path}%20`),
  at((path) => `${path}?id=1000001&tutorId=1000001`),
  at((path) => `${path}#x`),
  at((path) => path.replace(/\/[^/]*$/, '')),
  at((path) => path.replace(/\/[^/]*$/, '/all')),
  at((path) => path.replace(/\d+/, '*')),
  at((path) => path.replace(/\d+/, '1,2,3,1000001')),
  at((path) => path.replace(/\d+/, '%31')),
  at((path) => path.replace(/\d+/, '1%2f..%2f1000001')),
  at((path) => path.replace('/api/', '/api/admin/')),
  at((path) => path.replace('/api/', '/api/v1/')),
  at((path) => path.replace('/api/', '/internal/')),
];

/** Files that are no part of the built pages. */
const FILES = [
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

/** An address beside one that is described. */
export function neighbours(
  random: Random,
  method: string,
  path: string,
): { method: string; path: string } {
  if (random.chance(0.15)) return { method: 'GET', path: random.pick(FILES) };
  return random.pick(BENDS)(method, path);
}
