import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/* Checks for patterns that must not occur in the product's source files. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const isTest = (path: string) => /\.test\.tsx?$|\/src\/test\//.test(path);

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|html|css)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !isTest(path))
    .toSorted();
}

/** Strips comments, which may mention a pattern. */
const readCode = (path: string) =>
  readFileSync(join(root, path), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');

const serverFiles = filesIn('apps/server/src');
const webFiles = [...filesIn('apps/web/src'), ...filesIn('apps/web/public'), 'apps/web/index.html'];
const allFiles = [...serverFiles, ...webFiles, ...filesIn('packages/contract/src')];

/** Returns all matches, each as 'file: match'. */
const findMatches = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((path) =>
    (readCode(path).match(pattern) ?? []).map((text) => `${path}: ${text.trim()}`),
  );

test('the checks read all files and find matches', () => {
  expect(serverFiles.length).toBeGreaterThan(200);
  expect(webFiles.length).toBeGreaterThan(200);
  expect(
    findMatches(['apps/server/src/platform/db/kysely-adapter.ts'], /createHash\('sha1'\)/g),
  ).toHaveLength(1);
});

describe('code', () => {
  test('[V1.3.2] is never evaluated from text', () => {
    const dynamicCode =
      /\beval\(|new Function\(|\bsetTimeout\(\s*['"`]|node:vm|\bimport\(\s*[^'"\s)]/g;
    expect(findMatches(allFiles, dynamicCode)).toEqual([]);
  });

  test('[V1.2.5] does not start processes', () => {
    expect(findMatches(serverFiles, /child_process|worker_threads|execa|\bspawn\(/g)).toEqual([]);
  });

  test('[V1.2.4] does not put values into SQL text', () => {
    expect(findMatches(serverFiles, /sql\.raw\(|sql\.lit\((?!\d|'|true|false)/g)).toEqual([]);
    const interpolated = /\.query(<[^>]*>)?\(\s*`[^`]*\$\{[^`]*`/g;
    const paths = new Set(
      findMatches(serverFiles, interpolated).map((match) => match.split(':')[0]),
    );
    // Names of roles, databases, tables, channels and cursors cannot be passed as parameters; here they are constants
    // or escaped.
    expect(paths).toEqual(
      new Set([
        'apps/server/src/domains/restore/queries/tutor-move-rows.ts',
        'apps/server/src/domains/restore/queries/restore-tutor.ts',
        'apps/server/src/invariants.ts',
        'apps/server/src/migrate.ts',
        'apps/server/src/provision-database.ts',
        'apps/server/src/platform/db/stream-rows.ts',
        'apps/server/src/platform/change-notifications.ts',
        'apps/server/src/platform/queue/queue.ts',
      ]),
    );
  });

  test('[V3.2.2] renders user input as text, never as HTML', () => {
    const html =
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|srcdoc/gi;
    const matches = findMatches(webFiles, html);
    // The preview of an email, in a fully sandboxed frame.
    const preview = 'apps/web/src/features/reminders/MessageTemplateEditor.tsx';
    expect(matches).toEqual([`${preview}: srcDoc`]);
    expect(readCode(preview)).toMatch(/sandbox=""\s+srcDoc/);
  });

  test('[V3.5.5] does not accept messages from other windows without an origin check', () => {
    const listeners = findMatches(
      webFiles,
      /(window|self)\.addEventListener\(\s*'message'|\bonmessage\b/g,
    );
    const unchecked = listeners.filter(
      (match) => !readCode(match.split(':')[0] ?? '').includes('.origin'),
    );
    expect(unchecked).toEqual([]);
  });

  test('[V3.7.1] does not use plug-ins', () => {
    expect(findMatches(webFiles, /<(object|embed|applet)[\s/]/gi)).toEqual([]);
  });

  test('[V14.2.3] does not contain the URL of another host to which a browser would send data', () => {
    // The tutor opens a chat in WhatsApp, or the address of a lesson on a map.
    const hosts = findMatches(webFiles, /https?:\/\/(?!www\.w3\.org)[\w.-]+/g);
    const unexpected = hosts.filter(
      (match) =>
        !/wa\.me|www\.google\.com$|http:\/\/here$|example\.(com|org)|lessonbook\.example/.test(
          match,
        ),
    );
    expect(unexpected).toEqual([]);
  });
});

describe('secrets', () => {
  test('[V11.2.1] cryptography comes from Node and established libraries, and is used only in platform and integrations', () => {
    const users = findMatches(
      serverFiles,
      /from '(node:crypto|jose|openid-client|otpauth|@node-rs\/argon2|@simplewebauthn\/server)'/g,
    );
    const elsewhere = users.filter(
      (line) => !/src\/(platform|integrations|migrate|provision)/.test(line),
    );
    // A random id for a Google watch channel.
    expect(elsewhere).toEqual([
      "apps/server/src/domains/calendar/service/watch-channel.ts: from 'node:crypto'",
    ]);
    expect(
      findMatches(allFiles, /from '(crypto-js|bcryptjs?|node-forge|md5|sha1|uuid|tweetnacl)'/g),
    ).toEqual([]);
  });

  test('[V6.5.3, V11.5.1] never use Math.random', () => {
    expect(findMatches(serverFiles, /Math\.random/g)).toEqual([]);
  });

  test('[V11.3.1, V11.3.2] are encrypted only with AES-256-GCM', () => {
    const ciphers = findMatches(
      allFiles,
      /'(aes|des-|rc4|blowfish|chacha|camellia)[\w-]*'|-(ecb|cbc|ctr|cfb)\b/gi,
    );
    expect(ciphers).toEqual(["apps/server/src/platform/crypto/encryption.ts: 'aes-256-gcm'"]);
    expect(
      findMatches(
        serverFiles,
        /createCipher\b|createDecipher\b|publicEncrypt|privateDecrypt|RSA_PKCS1/g,
      ),
    ).toEqual([]);
  });

  test('[V11.4.1, V11.4.3] are hashed with SHA-256, and other hashes are not used for secrets', () => {
    const hashes = findMatches(serverFiles, /\b(md5|sha-?1|sha-?224|ripemd\w*|crc32)\b/gi);
    expect(hashes).toEqual([
      // Authenticator apps require it (RFC 6238); SHA-1 is still secure in an HMAC.
      'apps/server/src/platform/crypto/totp.ts: SHA1',
      // A short name for a prepared statement.
      'apps/server/src/platform/db/kysely-adapter.ts: sha1',
    ]);
  });

  test('[V11.6.1, V9.1.2] signatures are accepted only as RS256 from Google, and as Ed25519, ES256 or RS256 from passkeys', () => {
    expect(findMatches(serverFiles, /algorithms: \[[^\]]*\]/g)).toEqual([
      "apps/server/src/integrations/google-sign-in.ts: algorithms: ['RS256']",
    ]);
    expect(findMatches(serverFiles, /ALGORITHMS = \[[^\]]*\]/g)).toEqual([
      'apps/server/src/platform/crypto/webauthn.ts: ALGORITHMS = [-8, -7, -257]',
    ]);
    expect(findMatches(serverFiles, /generateKeyPair|createSign\(/g)).toEqual([]);
  });

  test('[V12.3.2] certificate verification is never disabled', () => {
    expect(
      findMatches(serverFiles, /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity|sslmode/g),
    ).toEqual([]);
  });

  test('are compared in constant time', () => {
    const plainComparison =
      /\b(\w*[tT]oken|\w*[sS]ignature|\w*[sS]ecret|passwordHash)\s*[!=]==\s*(?!undefined|null|'|typeof|account\.)\w/g;
    expect(
      findMatches(
        serverFiles.filter((path) => !path.includes('/queries/')),
        plainComparison,
      ),
    ).toEqual([
      // Detects a concurrent change; both values come from our own tables.
      'apps/server/src/domains/accounts/service/google/link-google.ts: passwordHash === f',
      'apps/server/src/domains/calendar/service/disconnect.ts: encryptedToken !== l',
    ]);
  });

  test('[V13.2.3] are not in the code and have no defaults', () => {
    const keys = /(sk_live|rk_live|AKIA|AIza|xox[bp]-|-----BEGIN)[\w-]*/g;
    expect(findMatches(allFiles, keys)).toEqual([]);
    const defaults =
      readCode('apps/server/src/env-schema.ts').match(
        /^ +(\w*(SECRET|TOKEN|KEY|PASSWORD)\w*): (?!z\.optional|z\n)[^\n]*/gm,
      ) ?? [];
    expect(defaults.filter((line) => line.includes('_default') && !line.includes('_URL'))).toEqual(
      [],
    );
  });
});

describe('connections, files and storage', () => {
  test('[V13.2.4, V13.2.5] only integrations, platform and operator commands open connections', () => {
    const lines = findMatches(
      serverFiles,
      /\bfetch\(|from '(node:(http|https|net|tls|dns|dgram)|nodemailer|stripe|@googleapis\/\w+|google-auth-library|openid-client|pg|pg-boss)'/g,
    );
    // These files import only the type; the operator command passes in the connection.
    const typeOnly = /domains\/restore\/(queries|service)\/restore[\w-]*\.ts: from 'pg'/;
    const folders = new Set(
      lines
        .filter((line) => !typeOnly.test(line))
        .map((line) => line.split(':')[0]?.replace('apps/server/src/', '').replace(/\/.*/, '')),
    );
    expect(folders).toEqual(
      new Set([
        'config.ts',
        'integrations',
        'invariants.ts',
        'migrate.ts',
        'platform',
        'provision-database.ts',
        'restore-tutor.ts',
        'revoke-logins.ts',
      ]),
    );
    const platform = lines.filter(
      (line) => line.includes('/platform/') && !/'(pg|pg-boss)'/.test(line),
    );
    // The monitor creates the sockets of the database connections. Of the others, one imports a type and one parses IP addresses.
    expect(platform.map((line) => line.split(': ')[0])).toEqual([
      'apps/server/src/platform/db/connection-monitor.ts',
      'apps/server/src/platform/http/client-network.ts',
      'apps/server/src/platform/http/http-server.ts',
    ]);
  });

  test('[V5.3.2] only these files use the file system, and none of them writes to it', () => {
    const users = findMatches(serverFiles, /from 'node:fs(\/promises)?'/g).map(
      (line) => line.split(':')[0],
    );
    expect(new Set(users)).toEqual(
      new Set([
        'apps/server/src/migrate.ts',
        'apps/server/src/move-tutor.ts',
        'apps/server/src/platform/crypto/common-passwords.ts',
        'apps/server/src/platform/files/pdf-writer.ts',
        'apps/server/src/platform/http/static-site.ts',
      ]),
    );
    expect(findMatches(serverFiles, /writeFile|createWriteStream|appendFile|mkdtemp/g)).toEqual([]);
  });

  test('[V16.2.3] logs go to standard output only', () => {
    expect(findMatches(serverFiles, /from 'pino'/g).map((line) => line.split(':')[0])).toEqual([
      'apps/server/src/platform/observability/log.ts',
    ]);
    expect(
      findMatches(
        serverFiles,
        /transport:|destination\(|pino\.transport|console\.(debug|info|warn|error)/g,
      ),
    ).toEqual([]);
    const filesThatPrint = findMatches(serverFiles, /console\.log/g).map(
      (line) => line.split(':')[0],
    );
    // Operator commands may print.
    for (const path of filesThatPrint)
      expect(path).toMatch(/(migrate|provision-database|seed-demo|revoke-logins|invariants)\.ts$/);
  });

  test('[V14.3.3] browsers store only the theme, flags, the chosen amount of a bill, drafts of a signed-in tutor, the address for which a family requested a code and, if the tutor opts in, the offline snapshot', () => {
    const writers = findMatches(
      webFiles,
      /(local|session)Storage\.setItem|indexedDB|caches\.open|document\.cookie/g,
    );
    const known =
      /lib\/(theme|use-local-flag|form-drafts|offline-owner|offline-store)\.ts|invoices\/public-bill-api\.ts|portal\/PortalSignIn\.tsx|shell\/app-update\.ts/;
    expect(writers.filter((line) => !known.test(line))).toEqual([]);
    expect(writers.length).toBeGreaterThan(0);
  });

  test('[V6.2.6, V6.2.7] password fields are masked and allow pasting and password managers', () => {
    const fields = webFiles.filter((path) => /<PasswordInput\b/.test(readCode(path)));
    expect(fields.length).toBeGreaterThan(4);
    for (const path of fields)
      expect([
        path,
        readCode(path)
          .match(/<PasswordInput\b[^]*?\/>/g)
          ?.every((field) => /autoComplete="(current|new)-password"/.test(field)),
      ]).toEqual([path, true]);
    expect(
      findMatches(webFiles, /onPaste|autoComplete="off"[^>]*assword|type="text"[^>]*assword/g),
    ).toEqual([]);
  });
});
