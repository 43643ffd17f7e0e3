import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/* What must not stand in the product's own files, wherever somebody would put it. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const isTest = (path: string) => /\.test\.tsx?$|\/src\/test\//.test(path);

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|html|css)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !isTest(path));
}

/** Without comments, which may speak of what the code does not do. */
const read = (path: string) =>
  readFileSync(join(root, path), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');

const server = filesIn('apps/server/src');
const browserSide = [
  ...filesIn('apps/web/src'),
  ...filesIn('apps/web/public'),
  'apps/web/index.html',
];
const everything = [...server, ...browserSide, ...filesIn('packages/contract/src')];

/** Where it stands, as 'file: what'. */
const sightings = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((path) =>
    (read(path).match(pattern) ?? []).map((found) => `${path}: ${found.trim()}`),
  );

test('there is much to look at, and a sighting is seen', () => {
  expect(server.length).toBeGreaterThan(200);
  expect(browserSide.length).toBeGreaterThan(200);
  expect(
    sightings(['apps/server/src/platform/db/database.ts'], /createHash\('sha1'\)/g),
  ).toHaveLength(1);
});

describe('code', () => {
  test('[V1.3.2] is never made out of text', () => {
    const made = /\beval\(|new Function\(|\bsetTimeout\(\s*['"`]|node:vm|\bimport\(\s*[^'"\s)]/g;
    expect(sightings(everything, made)).toEqual([]);
  });

  test('[V1.2.5] starts no program', () => {
    expect(sightings(server, /child_process|worker_threads|execa|\bspawn\(/g)).toEqual([]);
  });

  test('[V1.2.4] puts no value into the text of a statement', () => {
    expect(sightings(server, /sql\.raw\(|sql\.lit\((?!\d|'|true|false)/g)).toEqual([]);
    const glued = /\.query(<[^>]*>)?\(\s*`[^`]*\$\{[^`]*`/g;
    const where = new Set(sightings(server, glued).map((sighting) => sighting.split(':')[0]));
    // Names of roles, databases, tables, channels and cursors cannot be parameters: they are our own words, or escaped there.
    expect(where).toEqual(
      new Set([
        'apps/server/src/domains/restore/queries/restore-tutor.ts',
        'apps/server/src/invariants.ts',
        'apps/server/src/migrate.ts',
        'apps/server/src/provision-database.ts',
        'apps/server/src/platform/db/cursor.ts',
        'apps/server/src/platform/realtime.ts',
        'apps/server/src/platform/queue/queue.ts',
      ]),
    );
  });

  test('[V3.2.2] shows what people wrote as text: no HTML is made of it in the browser', () => {
    const html =
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|srcdoc/gi;
    const made = sightings(browserSide, html);
    // How a mail will read, in a frame that may do nothing.
    const preview = 'apps/web/src/features/reminders/TemplateEditor.tsx';
    expect(made).toEqual([`${preview}: srcDoc`]);
    expect(read(preview)).toMatch(/sandbox=""\s+srcDoc/);
  });

  test('[V3.5.5] listens to no message of another window', () => {
    const heard = sightings(
      browserSide,
      /(window|self)\.addEventListener\(\s*'message'|\bonmessage\b/g,
    );
    const believed = heard.filter(
      (sighting) => !read(sighting.split(':')[0] ?? '').includes('.origin'),
    );
    expect(believed).toEqual([]);
  });

  test('[V3.7.1] asks for no plug-in', () => {
    expect(sightings(browserSide, /<(object|embed|applet)[\s/]/gi)).toEqual([]);
  });

  test('[V14.2.3] names no other host that a browser would send something to', () => {
    const hosts = sightings(browserSide, /https?:\/\/(?!www\.w3\.org)[\w.-]+/g);
    const sent = hosts.filter(
      (sighting) => !/wa\.me|http:\/\/here$|example\.(com|org)|lessonbook\.example/.test(sighting),
    );
    expect(sent).toEqual([]);
  });
});

describe('secrets', () => {
  test('[V11.2.1] are made by Node’s own cryptography and named libraries, all in the platform and with vendors', () => {
    const users = sightings(
      server,
      /from '(node:crypto|jose|openid-client|otpauth|@node-rs\/argon2|@simplewebauthn\/server)'/g,
    );
    const astray = users.filter(
      (line) => !/src\/(platform|integrations|migrate|provision)/.test(line),
    );
    // A random name for a channel at Google.
    expect(astray).toEqual([
      "apps/server/src/domains/calendar/service/watch-channel.ts: from 'node:crypto'",
    ]);
    expect(
      sightings(everything, /from '(crypto-js|bcryptjs?|node-forge|md5|sha1|uuid|tweetnacl)'/g),
    ).toEqual([]);
  });

  test('[V6.5.3, V11.5.1] are drawn from the system’s own source of randomness', () => {
    expect(sightings(server, /Math\.random/g)).toEqual([]);
  });

  test('[V11.3.1, V11.3.2] are sealed with AES-256-GCM and nothing else', () => {
    const ciphers = sightings(
      everything,
      /'(aes|des-|rc4|blowfish|chacha|camellia)[\w-]*'|-(ecb|cbc|ctr|cfb)\b/gi,
    );
    expect(ciphers).toEqual(["apps/server/src/platform/crypto/encryption.ts: 'aes-256-gcm'"]);
    expect(
      sightings(server, /createCipher\b|createDecipher\b|publicEncrypt|privateDecrypt|RSA_PKCS1/g),
    ).toEqual([]);
  });

  test('[V11.4.1, V11.4.3] are hashed with SHA-256; where another name stands, nothing secret hangs on it', () => {
    const hashes = sightings(server, /\b(md5|sha-?1|sha-?224|ripemd\w*|crc32)\b/gi);
    expect(hashes).toEqual([
      // A short name for a statement.
      'apps/server/src/platform/db/database.ts: sha1',
      // What authenticator apps do, as RFC 6238 has it: an HMAC, for which SHA-1 still holds.
      'apps/server/src/platform/crypto/totp.ts: SHA1',
    ]);
  });

  test('[V11.6.1, V9.1.2] signatures are RS256 of Google’s, and Ed25519, ES256 or RS256 of a passkey', () => {
    expect(sightings(server, /algorithms: \[[^\]]*\]/g)).toEqual([
      "apps/server/src/integrations/google-sign-in.ts: algorithms: ['RS256']",
    ]);
    expect(sightings(server, /ALGORITHMS = \[[^\]]*\]/g)).toEqual([
      'apps/server/src/platform/crypto/webauthn.ts: ALGORITHMS = [-8, -7, -257]',
    ]);
    expect(sightings(server, /generateKeyPair|createSign\(/g)).toEqual([]);
  });

  test('[V12.3.2] no certificate is taken unlooked at', () => {
    expect(
      sightings(server, /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity|sslmode/g),
    ).toEqual([]);
  });

  test('are compared in a time that tells nothing', () => {
    const bare =
      /\b(\w*[tT]oken|\w*[sS]ignature|\w*[sS]ecret|passwordHash)\s*[!=]==\s*(?!undefined|null|'|typeof|account\.)\w/g;
    expect(
      sightings(
        server.filter((path) => !path.includes('/queries/')),
        bare,
      ),
    ).toEqual([
      // Whether it changed meanwhile: both sides are read from our own tables.
      'apps/server/src/domains/accounts/service/google/link-google.ts: passwordHash === f',
      'apps/server/src/domains/calendar/service/disconnect.ts: sealedToken !== l',
    ]);
  });

  test('[V13.2.3] have no default: none stands in the code', () => {
    const kept = /(sk_live|rk_live|AKIA|AIza|xox[bp]-|-----BEGIN)[\w-]*/g;
    expect(sightings(everything, kept)).toEqual([]);
    const defaults =
      read('apps/server/src/config.ts').match(
        /^ +(\w*(SECRET|TOKEN|KEY|PASSWORD)\w*): (?!z\.optional|z\n)[^\n]*/gm,
      ) ?? [];
    expect(defaults.filter((line) => line.includes('_default') && !line.includes('_URL'))).toEqual(
      [],
    );
  });
});

describe('what leaves and stays', () => {
  test('[V13.2.4, V13.2.5] only what speaks to vendors, the database and the log opens a connection', () => {
    const lines = sightings(
      server,
      /\bfetch\(|from '(node:(http|https|net|tls|dns|dgram)|nodemailer|stripe|@googleapis\/\w+|google-auth-library|openid-client|pg|pg-boss)'/g,
    );
    // The type of a connection that a command of the operator opened.
    const given = /domains\/own-data\/(queries|service)\/restore[\w-]*\.ts: from 'pg'/;
    const rooms = new Set(
      lines
        .filter((line) => !given.test(line))
        .map((line) => line.split(':')[0]?.replace('apps/server/src/', '').replace(/\/.*/, '')),
    );
    expect(rooms).toEqual(
      new Set([
        'config.ts',
        'end-logins.ts',
        'integrations',
        'invariants.ts',
        'migrate.ts',
        'platform',
        'provision.ts',
        'restore-tutor.ts',
      ]),
    );
    const platform = lines.filter(
      (line) => line.includes('/platform/') && !/'(pg|pg-boss)'/.test(line),
    );
    // Types of a request, and the reading of an address: neither opens anything.
    expect(platform.map((line) => line.split(': ')[0])).toEqual([
      'apps/server/src/platform/http/http-server.ts',
      'apps/server/src/platform/http/rate-limiter.ts',
    ]);
  });

  test('[V5.3.2] no file is opened under a name that somebody sent', () => {
    const users = sightings(server, /from 'node:fs(\/promises)?'/g).map(
      (line) => line.split(':')[0],
    );
    expect(new Set(users)).toEqual(
      new Set([
        'apps/server/src/migrate.ts',
        'apps/server/src/platform/crypto/common-passwords.ts',
        'apps/server/src/platform/files/pdf.ts',
        'apps/server/src/platform/http/static-site.ts',
      ]),
    );
    expect(sightings(server, /writeFile|createWriteStream|appendFile|mkdtemp/g)).toEqual([]);
  });

  test('[V16.2.3] logs go to the process’s own output, and nowhere else', () => {
    expect(sightings(server, /from 'pino'/g).map((line) => line.split(':')[0])).toEqual([
      'apps/server/src/platform/observability/log.ts',
    ]);
    expect(
      sightings(
        server,
        /transport:|destination\(|pino\.transport|console\.(debug|info|warn|error)/g,
      ),
    ).toEqual([]);
    const printing = sightings(server, /console\.log/g).map((line) => line.split(':')[0]);
    // Commands that somebody runs by hand.
    for (const path of printing)
      expect(path).toMatch(/(migrate|provision|seed-demo|end-logins|invariants)\.ts$/);
  });

  test('[V14.3.3] browsers are given nothing to keep but the theme, switches, what was asked on a bill, and by choice the book for the road', () => {
    const keepers = sightings(
      browserSide,
      /(local|session)Storage\.setItem|indexedDB|caches\.open|document\.cookie/g,
    );
    const known =
      /lib\/(theme|remembered|own-device-switch|kept-book)\.ts|invoices\/asked\.ts|shell\/new-version\.ts/;
    expect(keepers.filter((line) => !known.test(line))).toEqual([]);
    expect(keepers.length).toBeGreaterThan(0);
  });

  test('[V6.2.6, V6.2.7] passwords are masked, and may be pasted and filled in by a manager', () => {
    const fields = browserSide.filter((path) => /<PasswordInput\b/.test(read(path)));
    expect(fields.length).toBeGreaterThan(4);
    for (const path of fields)
      expect([
        path,
        read(path)
          .match(/<PasswordInput\b[^]*?\/>/g)
          ?.every((field) => /autoComplete="(current|new)-password"/.test(field)),
      ]).toEqual([path, true]);
    expect(
      sightings(browserSide, /onPaste|autoComplete="off"[^>]*assword|type="text"[^>]*assword/g),
    ).toEqual([]);
  });
});
